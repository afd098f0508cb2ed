"""What belongs to the project around the checked files: its root, its other modules, its launch files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from ddl_lint.jobs.console_scripts import FILES as PACKAGING
from ddl_lint.jobs.hints import RECIPES, SUFFIXES
from ddl_lint.project.config import DEFAULT_EXCLUDE

_MARKERS = ("pyproject.toml", "ddl-lint.toml", ".ddl-lint.toml", "setup.py", "setup.cfg", ".git", ".hg")
_MOST_LOOKED_AT = 20_000  # folders, and files that matter: a check must end where no project is, as in `/`
_SKIPPED = frozenset(name.strip("/") for name in DEFAULT_EXCLUDE)


def project_root(paths: Iterable[Path]) -> Path:
    """The folder above all these files that looks like the root of a project; else their common folder."""
    folders = sorted({path.parent for path in paths})
    try:
        common = Path(os.path.commonpath(folders))
    except ValueError:  # there are no paths, or they are on several drives
        common = folders[0] if folders else Path.cwd()
    return marked_root(common) or common


def marked_root(folder: Path) -> Path | None:
    """The nearest folder, this one or one above it, that looks like the root of a project."""
    for candidate in (folder, *folder.parents):
        if any(os.path.exists(candidate / marker) for marker in _MARKERS):
            return candidate
    return None


def python_files(root: Path) -> list[Path]:
    """The Python files below the root, up to a number beyond which imports across the tree are not looked for."""
    return [path for path in _files(root) if path.suffix == ".py"]


def launch_files(root: Path) -> list[Path]:
    """The shell files below the root, and those that say how an image is made."""
    return [path for path in _files(root) if path.suffix in SUFFIXES or path.name in RECIPES]


def packaging_files(root: Path) -> list[Path]:
    """The files below the root that say how a project is packaged."""
    return [path for path in _files(root) if path.name in PACKAGING]


def forget() -> None:
    """Look for files anew from now on: to be called when some have come or gone."""
    _files.cache_clear()


@lru_cache(maxsize=4)
def _files(root: Path) -> tuple[Path, ...]:
    return tuple(_walk(root))


def _walk(root: Path) -> Iterator[Path]:
    count = 0
    for folder, folders, names in os.walk(root):
        count += 1
        if count > _MOST_LOOKED_AT:
            return
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        for name in sorted(names):
            if name.endswith((".py", *SUFFIXES)) or name in RECIPES or name in PACKAGING:
                count += 1
                yield Path(folder, name)
