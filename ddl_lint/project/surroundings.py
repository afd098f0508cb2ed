"""Where a project ends, and what belongs to it: its modules, its notebooks, its launch files.

A *project* is a repository. Where there is none, it is what lies below the outermost folder that looks like the root of
a project. Its packages, which are folders with such marks of their own, may import each other; a repository that lies
in another one is a project by itself, and neither knows anything of the other.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from ddl_lint.jobs.file_names import MOST_DATA, PACKAGING, RECIPES, SUFFIXES, is_guide, kind_of, may_be_data
from ddl_lint.project.config import DEFAULT_EXCLUDE
from ddl_lint.source import SourceError, leads_out_of, read_bytes

_REPOSITORY = (".git", ".hg")
_INSTALLER = "setup.py"
_MARKERS = (*_REPOSITORY, "pyproject.toml", "ddl-lint.toml", ".ddl-lint.toml", _INSTALLER, "setup.cfg")
_NAMES = frozenset({*RECIPES, *_MARKERS, *PACKAGING})
_PACKAGING = (b"setuptools", b"distutils", b"skbuild")
_MOST_JOB_FILES = 5_000
_MOST_LOOKED_AT = 20_000  # folders, and files that matter: a check must end where no project is, as in `/`
_SKIPPED = frozenset(name.strip("/") for name in DEFAULT_EXCLUDE)


def projects(paths: Iterable[Path]) -> dict[Path, list[Path]]:
    """The roots of the projects of some files, each with its files.

    Files without any mark above them are one project, in the folder that they have in common.
    """
    found: dict[Path, list[Path]] = {}
    unmarked: list[Path] = []
    for path in paths:
        root = marked_root(path.parent)
        (unmarked if root is None else found.setdefault(root, [])).append(path)
    if unmarked:
        found.setdefault(_common_folder(unmarked), []).extend(unmarked)
    return found


def marked_root(folder: Path) -> Path | None:
    """The root of the project that a folder belongs to; None where nothing tells."""
    found = _marked_above(folder)
    while len(found) > 1 and _holds_everything(found[-1]):
        found = found[:-1]
    return found[-1] if found else None


def python_files(root: Path) -> list[Path]:
    """The Python files of a project, up to a number beyond which imports across the tree are not looked for."""
    return [path for path in _files(root) if path.suffix == ".py"]


def notebooks(root: Path) -> list[Path]:
    """The notebooks of a project."""
    return [path for path in _files(root) if path.suffix == ".ipynb"]


def job_files(root: Path) -> list[Path]:
    """The files of a project that may say how its programs are launched, configured and installed."""
    return [path for path in _files(root) if kind_of(path.name, path.parent.name) is not None]


def guides(root: Path) -> list[Path]:
    """The pages of a project that may show people how its scripts are started."""
    return [path for path in _files(root) if is_guide(path.name)]


def package_files(root: Path) -> list[Path]:
    """The files of a project that make a package of the folder that they are in."""
    return [path for path in _files(root) if path.name in _MARKERS]


def packaging_files(root: Path) -> list[Path]:
    """The files below the root that say how a project is packaged."""
    return [path for path in _files(root) if path.name in PACKAGING]


def forget() -> None:
    """Look for files anew from now on: to be called when some have come or gone."""
    _files.cache_clear()
    _marked_above.cache_clear()


@cache
def _marked_above(folder: Path) -> tuple[Path, ...]:
    """The folders with a mark, from this one up to the repository."""
    is_end = folder.parent == folder or _has(folder, _REPOSITORY)
    above = () if is_end else _marked_above(folder.parent)
    return (folder, *above) if _has(folder, _MARKERS) else above


def _has(folder: str | Path, names: Iterable[str]) -> bool:
    paths = (os.path.join(folder, name) for name in names)
    return any(os.path.exists(path) and (not path.endswith(_INSTALLER) or _installs(path)) for path in paths)


def _installs(path: str) -> bool:
    """Whether a `setup.py` is that of a package. Programs have modules of this name, too."""
    try:
        data = read_bytes(path)
    except SourceError:
        return False
    return not data.strip() or any(word in data for word in _PACKAGING)


def _holds_everything(folder: Path) -> bool:
    """Whether a folder is that of a user or of the whole disk: a mark there says nothing of a project further below."""
    try:
        return folder in (folder.parent, Path.home())
    except RuntimeError:  # there is no home
        return False


def _common_folder(paths: Iterable[Path]) -> Path:
    folders = sorted({path.parent for path in paths})
    try:
        return Path(os.path.commonpath(folders))
    except ValueError:  # they are on several drives
        return folders[0]


@lru_cache(maxsize=16)
def _files(root: Path) -> tuple[Path, ...]:
    return tuple(path for path in _walk(root) if not leads_out_of(path, root))


def _walk(root: Path) -> Iterator[Path]:
    # Around an unmarked folder there is no project, so that each mark below it begins one.
    walls = frozenset(_REPOSITORY if _has(root, _MARKERS) else _MARKERS)
    count = others = 0
    for folder, folders, names in os.walk(root):
        count += 1
        if count > _MOST_LOOKED_AT:
            return
        if count > 1 and not walls.isdisjoint((*folders, *names)) and _has(folder, walls):
            folders.clear()
            continue
        folders[:] = sorted(
            name for name in folders if name not in _SKIPPED and (not name.startswith(".") or name == ".github")
        )
        here, data = os.path.basename(folder), 0
        for name in sorted(names):
            if name.endswith((".py", ".ipynb", *SUFFIXES)) or name in _NAMES:
                count += 1
                yield Path(folder, name)
            elif others < _MOST_JOB_FILES and (is_guide(name) or kind_of(name, here) is not None):
                data += may_be_data(name)
                if data > MOST_DATA and may_be_data(name):
                    continue
                others += 1
                yield Path(folder, name)
