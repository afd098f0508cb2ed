"""What Hydra composes of a primary configuration and the files that its defaults list names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ddl_lint.jobs.settings_files import Part, Table

Read: TypeAlias = Callable[[str], "tuple[Part, str] | None"]
"""What a file below the folder of the configurations holds, and its text."""

_PACKAGE = re.compile(r"\s*#\s*@package\s+(\S+)")
_DEEPEST = 8
_SELF = "_self_"


@dataclass
class Composed:
    """A configuration, and the groups of files in it, of which a launch may choose others."""

    settings: Part
    groups: set[str] = field(default_factory=set[str])


def compose(read: Read, name: str) -> Composed | None:
    """The configuration of this name; None where a file cannot be read, or what is in one is not known to be a part of
    it.
    """
    composing = _Composing(read)
    settings = composing.file("", name, {}, 0)
    return Composed(Part(settings), composing.groups) if settings is not None else None


class _Composing:
    def __init__(self, read: Read) -> None:
        self._read = read
        self.groups: set[str] = set()

    def file(self, group: str, name: str, chosen: Mapping[str, str], depth: int) -> Table | None:
        """What a file of a group says, with those that it names itself, at its place in the whole."""
        if name.startswith("/"):
            group, _, name = name[1:].rpartition("/")
        place = f"{group}/{name}".lstrip("/")
        found = self._read(place if place.endswith((".yaml", ".yml")) else f"{place}.yaml")
        if found is None or depth > _DEEPEST or not isinstance(found[0].value, dict):
            return None
        own = dict(found[0].value)
        listed = own.pop("defaults", Part(()))
        if not isinstance(listed.value, tuple):
            return None
        header = _PACKAGE.match(found[1])
        package = header[1] if header is not None else "_group_"
        own = _inside(own, group.replace("/", ".") if package == "_group_" else package.removeprefix("_global_"))
        own.pop("hydra", None)
        return self._with_defaults(own, listed.value, group, chosen, depth)

    def _with_defaults(
        self, own: Table, listed: tuple[Part, ...], group: str, chosen: Mapping[str, str], depth: int
    ) -> Table | None:
        entries = [_entry(part) for part in listed]
        overridden = {key.partition(" ")[2]: name for key, name in filter(None, entries) if key.startswith("override ")}
        chosen = {**overridden, **chosen}
        is_ordered = any(entry == ("", _SELF) for entry in entries)
        made: Table = {}
        for entry in entries:
            if entry is None:
                return None
            key, name = entry
            if name == _SELF:
                made = _merged(made, own)
                continue
            if key.startswith("override ") or key.startswith("hydra/"):
                continue
            if "@" in key or "@" in name or key.startswith("optional ") or name == "???":
                return None
            below = self._below(group, key)
            self.groups |= {below} if key else set()
            added = self.file(below, chosen.get(key, name) if key else name, chosen, depth + 1)
            if added is None:
                return None
            made = _merged(made, added)
        return made if is_ordered else _merged(made, own, is_ordered=not entries)

    def _below(self, group: str, key: str) -> str:
        if key.startswith("/") or not group:
            return key.lstrip("/") if key else group
        return f"{group}/{key}" if key else group


def _entry(part: Part) -> tuple[str, str] | None:
    """A group and the name of a file of it; no group for a file beside the one that names it."""
    if isinstance(part.value, str) and part.is_known:
        return "", part.value
    if not isinstance(part.value, dict) or len(part.value) != 1:
        return None
    ((key, name),) = part.value.items()
    if not isinstance(key, str) or not isinstance(name.value, str) or not name.is_known:
        return None
    return key, name.value


def _inside(own: Table, package: str) -> Table:
    for name in reversed([each for each in package.split(".") if each]):
        own = {name: Part(own)}
    return own


def _merged(first: Table, second: Table, *, is_ordered: bool = True) -> Table:
    """Both, the second over the first; where it is not known which of them counts, what they say otherwise is unknown:
    that has changed between releases.
    """
    made = dict(first)
    for key, part in second.items():
        before = made.get(key)
        if before is not None and isinstance(before.value, dict) and isinstance(part.value, dict):
            made[key] = replace(part, value=_merged(before.value, part.value, is_ordered=is_ordered))
        elif before is None or is_ordered or before.value == part.value:
            made[key] = part
        else:
            made[key] = Part(None, part.place, is_known=False)
    return made
