"""The files of a project that may say with which versions of packages it runs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from ddl_lint.jobs.file_names import is_guide, kind_of

Kind: TypeAlias = Literal["lock", "requirements", "environment", "pyproject", "setup", "dockerfile", "shell", "guide"]

_MOST = 40  # requirements files, and files with commands that install

INSTALLS: tuple[Kind, ...] = ("dockerfile", "shell")
"""Kinds of files that install with commands: several of them in a folder are alternatives."""

_IMAGES = re.compile(r"docker(?:files?)?|containers?|images?", re.IGNORECASE)
"""Folders whose Dockerfiles are for the folder around them."""


_PAGES = ("docs", "doc", "docs/en")
"""Folders whose pages are about the folder around them."""


class PinningFile(NamedTuple):
    """A file that may pin versions, and how it is to be read."""

    path: Path
    kind: Kind


def pinning_files(root: Path) -> list[PinningFile]:
    """Such files of a project's root folder, the most exact kind first; some of them may not exist."""
    return list(_files(root))


def told_folder(page: Path) -> Path:
    """The folder that a page for people is about."""
    folder = page.parent
    while folder.name in ("docs", "doc", "en"):
        folder = folder.parent
    return folder


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _files(root: Path) -> Iterator[PinningFile]:
    names = _names(root)
    yield PinningFile(root / "uv.lock", "lock")
    yield PinningFile(root / "poetry.lock", "lock")
    wanted = [name for name in names if re.fullmatch(r"(?:requirements|constraints)[\w.-]*\.txt", name)]
    for name in sorted(wanted, key=lambda name: (name != "requirements.txt", name))[:_MOST]:
        yield PinningFile(root / name, "requirements")
    yield PinningFile(root / "requirements" / "base.txt", "requirements")
    for name in names:
        if re.fullmatch(r"(?:environment|conda)[\w.-]*\.ya?ml", name):
            yield PinningFile(root / name, "environment")
    yield PinningFile(root / "pyproject.toml", "pyproject")
    yield PinningFile(root / "setup.cfg", "setup")
    yield from _installing(root, names)
    pages = [root / name for name in names if is_guide(name)]
    for folder in (root / name for name in _PAGES if name.partition("/")[0] in names):
        pages += (folder / name for name in _names(folder) if is_guide(name))
    yield from (PinningFile(path, "guide") for path in pages[:_MOST])


def _installing(root: Path, names: list[str]) -> Iterator[PinningFile]:
    """The files whose commands install what the programs of a folder run with."""
    found = [root / name for name in names if kind_of(name) == "dockerfile"]
    for folder in (root / name for name in names if _IMAGES.fullmatch(name)):
        found += (folder / name for name in _names(folder) if kind_of(name) == "dockerfile")
    yield from (PinningFile(path, "dockerfile") for path in found[:_MOST])
    shells = [name for name in names if kind_of(name) == "shell"]
    yield from (PinningFile(root / name, "shell") for name in shells[:_MOST])
