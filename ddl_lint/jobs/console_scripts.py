"""Which functions of a project become commands when it is installed, as its files for packaging say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple, cast

from ddl_lint.source import SourceError, read_text
from ddl_lint.source.ini_text import read_ini
from ddl_lint.source.toml_text import TomlError, read_toml

_TABLES = (
    ("project", "scripts"),
    ("project", "gui-scripts"),
    ("project", "entry-points", "console_scripts"),
    ("tool", "poetry", "scripts"),
    ("tool", "flit", "scripts"),
)
_GROUP = re.compile(r"\b(?:console|gui)_scripts\b[\s\"'\])]*[:=,]?[\s\[(\"']*")
_ENTRY = re.compile(r"(?<![\w.-])([\w.-]+)\s*=\s*([\w.]+\s*:\s*[\w.]+)")
_WORD = re.compile(r"[\w.-]+")
_BRACKET = re.compile(r"[\[\]{}]")
_MOST_GROUPS = 50  # of a setup.py, and what follows: no project declares as many
_MOST = 500
_REFERENCE = re.compile(r"([\w.]+)\s*:\s*([\w.]+)")


class ConsoleScript(NamedTuple):
    """A command, the function that it calls, and where this is said; `line` counts from 1."""

    name: str
    module: str
    function: str
    path: Path
    line: int


def console_scripts(files: Iterable[Path]) -> list[ConsoleScript]:
    """The commands that these files declare; what cannot be read declares none."""
    found: list[ConsoleScript] = []
    for path in files:
        try:
            text = read_text(str(path))
        except SourceError:
            continue
        lines = _Lines(text)
        for name, reference in islice(_declared(path.name, text), _MOST):
            match = _REFERENCE.match(reference.strip())
            if match is not None:
                line = lines.with_words(name, match[1])
                found.append(ConsoleScript(name, match[1], match[2], path, line))
    return found


def _declared(file: str, text: str) -> Iterator[tuple[str, str]]:
    """The names of the commands, each with what it refers to."""
    if file == "pyproject.toml":
        return _in_pyproject(text)
    return _in_groups(_in_setup_cfg(text) if file == "setup.cfg" else text)


def _in_pyproject(text: str) -> Iterator[tuple[str, str]]:
    try:
        data: object = read_toml(text)
    except TomlError:
        return
    for keys in _TABLES:
        table = data
        for key in keys:
            table = cast("dict[str, object]", table).get(key) if isinstance(table, dict) else None
        for name, value in cast("dict[str, object]", table).items() if isinstance(table, dict) else ():
            if isinstance(value, dict):  # Poetry's long form
                value = cast("dict[str, object]", value).get("reference", "")
            if isinstance(value, str):
                yield name, value


def _in_setup_cfg(text: str) -> str:
    groups = read_ini(text).get("options.entry_points", {})
    # As `_in_groups` reads it.
    return "\n".join(f"{group} = {groups.get(group, '')}\n[" for group in ("console_scripts", "gui_scripts"))


def _in_groups(text: str) -> Iterator[tuple[str, str]]:
    """What follows each `console_scripts`, up to the next bracket: a list of texts, or one text with lines."""
    for match in islice(_GROUP.finditer(text), _MOST_GROUPS):
        end = _BRACKET.search(text, match.end())
        for entry in _ENTRY.finditer(text, match.end(), len(text) if end is None else end.start()):
            yield entry[1], entry[2]


class _Lines:
    """Finds lines by what they say, however many are asked for."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._with: dict[str, list[int]] = {}
        for number, line in enumerate(self._lines):
            for word in set(_WORD.findall(line)):
                self._with.setdefault(word, []).append(number)

    def with_words(self, name: str, module: str) -> int:
        """The first line with a name, and a module in it; 1 where there is none."""
        numbers = islice(self._with.get(name, ()), _MOST)
        return next((number + 1 for number in numbers if module in self._lines[number]), 1)
