"""Settings of a project that its scripts read from YAML, JSON and TOML files.

They are others' text: of bounded size, below the root of the project, and nothing but data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias, cast

from ddl_lint.jobs.job import Job
from ddl_lint.jobs.yaml_positions import YamlError, read_yaml
from ddl_lint.source import SourceError, read_text
from ddl_lint.source.nodes import Alias, Node, Scalar, Sequence
from ddl_lint.source.nodes import Mapping as NodeMapping
from ddl_lint.source.span import Location
from ddl_lint.source.toml_text import TomlError, read_toml

_LARGEST = 200_000  # bytes; a configuration is short
_LARGEST_YAML = 60_000
_MOST = 200  # files
_MOST_VALUES = 5_000  # of one file; aliases of aliases may stand for any number of them

ENDINGS = (".json", ".yaml", ".yml", ".toml")
"""Of the names of files with settings."""

_NOTHING: Mapping[str, tuple[Job, ...]] = MappingProxyType({})


Table: TypeAlias = "dict[object, Part]"


@dataclass(frozen=True, slots=True)
class Part:
    """A value in a settings file: a plain one, or parts of a mapping by their keys or of a sequence."""

    value: Table | tuple[Part, ...] | str | int | float | bool | None
    place: Location | None = None
    is_known: bool = True
    """Not of a template, an interpolation or a value with a tag of its own."""


class SettingsFiles:
    """Reads files by the names that programs give them, each file once."""

    def __init__(self, root: Path | None = None, jobs: Mapping[str, tuple[Job, ...]] = _NOTHING) -> None:
        """Files below `root`, none without one; `jobs`: as in `LaunchFacts`."""
        self._root = root
        self._jobs = jobs
        self._texts: dict[Path, str | None] = {}
        self._parts: dict[Path, Part | None] = {}
        self._given: dict[tuple[str, str], frozenset[str] | None] = {}
        self._names: dict[str, frozenset[str]] = {}

    @property
    def looked_at(self) -> list[Path]:
        """The files that were asked for; some may not exist."""
        return list(self._texts)

    def is_current(self, now: SettingsFiles) -> bool:
        """Whether all that was read, and what was asked about launch lines, is still the same."""
        return (
            self._root == now._root
            and all(_given(now._jobs, *asked) == given for asked, given in self._given.items())
            and all(_names(now._jobs, script) == names for script, names in self._names.items())
            and all(_text(file) == text for file, text in self._texts.items())
        )

    def turn_to(self, now: SettingsFiles) -> None:
        """Go on with what launch lines say now."""
        self._jobs = now._jobs

    def given_for(self, script: str, option: str) -> frozenset[str] | None:
        """What launch lines give for an option of a script (a path); None where none starts the script."""
        key = script, option
        if key not in self._given:
            self._given[key] = _given(self._jobs, script, option)
        return self._given[key]

    def names_given(self, script: str) -> frozenset[str]:
        """The options that launch lines give a script."""
        if script not in self._names:
            self._names[script] = _names(self._jobs, script)
        return self._names[script]

    def text(self, name: str, script: str) -> str:
        """The text of a file that was read."""
        return next(
            (text for file in self._candidates(name, Path(script).parent) if (text := self._texts.get(file))), ""
        )

    def read(self, name: str, script: str) -> Part | None:
        """What a file holds that `script` (a path) calls `name`; None where there is none, or it cannot be read.

        A relative name may be meant from the folder of the script or from one above it: where files that differ may be
        meant, none is.
        """
        found: dict[str, Path] = {}
        for file in self._candidates(name, Path(script).parent):
            if file not in self._texts:
                if len(self._texts) >= _MOST:
                    return None
                self._texts[file] = _text(file)
            text = self._texts[file]
            if text is not None:
                found.setdefault(text, file)
        if len(found) != 1:
            return None
        ((text, file),) = found.items()
        if file not in self._parts:
            self._parts[file] = _read(text, file)
        return self._parts[file]

    def _candidates(self, name: str, folder: Path) -> Iterator[Path]:
        if self._root is None or not name or "\0" in name:
            return
        for start in (folder, *folder.parents):
            try:
                file = (start / name).resolve()
            except (OSError, RuntimeError):
                return
            if file.is_relative_to(self._root.resolve()):
                yield file
            if start == self._root:
                return


def _given(jobs: Mapping[str, tuple[Job, ...]], script: str, option: str) -> frozenset[str] | None:
    if script not in jobs:
        return None
    given = (job.options.get(option) for job in jobs[script])
    return frozenset(each.value for each in given if each is not None and each.value is not None)


def _names(jobs: Mapping[str, tuple[Job, ...]], script: str) -> frozenset[str]:
    return frozenset[str]().union(*({*job.options, *job.flags} for job in jobs.get(script, ())))


def _text(file: Path) -> str | None:
    try:
        return read_text(str(file), _LARGEST_YAML if file.suffix in (".yaml", ".yml") else _LARGEST)
    except SourceError:
        return None


def _read(text: str, file: Path) -> Part | None:
    """What a file says, by the ending of its name; JSON where that says nothing."""
    try:
        if file.suffix in (".yaml", ".yml"):
            return part_of_yaml(text, file.as_posix())
        return _plain(read_toml(text) if file.suffix == ".toml" else json.loads(text))
    except (ValueError, RecursionError, YamlError, TomlError):
        return None


def part_of_yaml(text: str, path: str) -> Part | None:
    """What a text says that is in a file; None for several documents. Raises an error where it cannot be read."""
    roots = read_yaml(text).roots
    return _Nodes(path).part(roots[0], 0) if len(roots) == 1 else None


def _plain(value: object) -> Part:
    """Data without places."""
    if isinstance(value, dict):
        return Part({key: _plain(each) for key, each in cast("dict[object, object]", value).items()})
    if isinstance(value, list):
        return Part(tuple(map(_plain, cast("list[object]", value))))
    if value is None or isinstance(value, (str, int, float)):
        return Part(value)
    return Part(None, is_known=False)  # a date


_OPEN = ("{{", "{%", "${")
"""What marks a text that something else fills in."""


_EXPONENT = re.compile(r"[-+]?[\d_]+(?:\.[\d_]*)?[eE][-+]?\d+")
"""A text to PyYAML and a number to OmegaConf, which reads YAML in its own way."""


class _Nodes:
    """Makes parts of the nodes of one YAML file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._anchors: dict[str, tuple[Part, int]] = {}
        """What has an anchor, and how many values that is."""

        self._count = 0

    def part(self, node: Node, depth: int) -> Part:
        """The value that a node has. Raises `ValueError` for what is too much of it."""
        place = Location(self._path, *node.span)
        before = self._count
        known, size = self._anchors.get(node.name, (None, 0)) if isinstance(node, Alias) else (None, 1)
        self._count += size
        if self._count > _MOST_VALUES or depth > 60:
            raise ValueError("too large")
        if isinstance(node, Alias):
            if known is None:
                raise ValueError("an alias without an anchor")
            return known
        if node.tag:
            made = Part(None, place, is_known=False)
        elif isinstance(node, Scalar):
            made = self._scalar(node, place)
        elif isinstance(node, Sequence):
            made = Part(tuple([self.part(item, depth + 1) for item in node.items]), place)
        else:
            made = Part(self._members(node, depth), place)
        if node.anchor:
            self._anchors[node.anchor] = made, self._count - before
        return made

    def _scalar(self, node: Scalar, place: Location) -> Part:
        value = node.value
        if isinstance(value, str):
            is_open = any(mark in value for mark in _OPEN)
            is_number = node.style == "plain" and _EXPONENT.fullmatch(value) is not None
            return Part(value, place, is_known=not is_open and not is_number)
        if value is None or isinstance(value, (int, float)):
            return Part(value, place)
        return Part(None, place, is_known=False)

    def _members(self, node: NodeMapping, depth: int) -> Table:
        own: Table = {}
        merged: Table = {}
        for member in node.members:
            key = member.key.value if isinstance(member.key, Scalar) and not member.key.tag else node
            value = self.part(member.value, depth + 1)
            if key == "<<" and isinstance(member.key, Scalar) and member.key.style == "plain":
                for each in value.value if isinstance(value.value, tuple) else (value,):
                    merged = {**(each.value if isinstance(each.value, dict) else {}), **merged}
            elif key is not node:
                own[key] = value
        return {**merged, **own}
