"""What the installed packages say of themselves: their entry points and versions.

`importlib.metadata` answers the same, but what it brings in takes longer than all else in a check of what has not
changed. So where packages lie in plain folders, as nearly always, their files are read here, and elsewhere it is asked.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

_SUFFIXES = (".dist-info", ".egg-info")
_STANDARD = frozenset({"PathFinder", "BuiltinImporter", "FrozenImporter"})


class EntryPoint(NamedTuple):
    """A name under which a package offers something."""

    name: str
    value: str
    package: str
    """The name of the package, in lower case with `_`."""


def entry_points(group: str) -> list[EntryPoint]:
    """What installed packages offer in a group, in the order in which the packages are found."""
    if not _are_in_folders():
        from importlib import metadata

        asked = metadata.entry_points(group=group)
        return [EntryPoint(each.name, each.value, _normal(each.dist.name if each.dist else "")) for each in asked]
    seen: set[str] = set()
    found: list[EntryPoint] = []
    for folder, name in _packages():
        if name not in seen:  # of two installations the first one counts
            seen.add(name)
            found += _entry_points_in(_text(os.path.join(folder, "entry_points.txt")), group, name)
    return found


def version(package: str) -> str:
    """The version of an installed package; empty if it is not installed."""
    wanted = _normal(package)
    for folder, name in _packages() if _are_in_folders() else ():
        if name == wanted:
            told = _text(os.path.join(folder, "METADATA")) or _text(os.path.join(folder, "PKG-INFO"))
            found = re.search(r"^Version:[ \t]*(\S+)", told.partition("\n\n")[0], re.MULTILINE | re.IGNORECASE)
            if found is not None:
                return found[1]
    from importlib import metadata  # it may be installed in a way of its own

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _are_in_folders() -> bool:
    """Whether all that can be imported lies in plain folders, and no finder of another kind knows packages."""
    finders = (each if isinstance(each, type) else type(each) for each in sys.meta_path)
    if any(hasattr(each, "find_distributions") and each.__name__ not in _STANDARD for each in finders):
        return False
    return not any(entry.endswith(".egg") or os.path.isfile(entry) for entry in sys.path)


def _packages() -> Iterator[tuple[str, str]]:
    """The folder with what a package says of itself, and its name, for each one on the path."""
    for entry in sys.path:
        try:
            names = os.listdir(entry or os.curdir)
        except OSError:
            continue
        for name in names:
            stem, suffix = os.path.splitext(name)
            if suffix.lower() in _SUFFIXES:
                yield os.path.join(entry, name), _normal(stem.partition("-")[0])


def _entry_points_in(text: str, group: str, package: str) -> Iterator[EntryPoint]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif section == group and line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield EntryPoint(name.strip(), value.strip(), package)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""
