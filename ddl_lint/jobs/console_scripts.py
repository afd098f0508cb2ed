"""Which functions of a project become commands when it is installed, as its files for packaging say."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple, cast

from ddl_lint.source import SourceError, read_text

_TABLES = (
    ("project", "scripts"),
    ("project", "gui-scripts"),
    ("project", "entry-points", "console_scripts"),
    ("tool", "poetry", "scripts"),
    ("tool", "flit", "scripts"),
)
_GROUP = re.compile(r"\b(?:console|gui)_scripts\b[\s\"'\])]*[:=,]?[\s\[(\"']*")
_ENTRY = re.compile(r"([\w.-]+)\s*=\s*([\w.]+\s*:\s*[\w.]+)")
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
        for name, reference in islice(_declared(path.name, text), _MOST):
            match = _REFERENCE.match(reference.strip())
            if match is not None:
                line = _line_of(text, name, match[1])
                found.append(ConsoleScript(name, match[1], match[2], path, line))
    return found


def _declared(file: str, text: str) -> Iterator[tuple[str, str]]:
    """The names of the commands, each with what it refers to."""
    if file == "pyproject.toml":
        return _in_pyproject(text)
    return _in_groups(_in_setup_cfg(text) if file == "setup.cfg" else text)


def _in_pyproject(text: str) -> Iterator[tuple[str, str]]:
    if sys.version_info >= (3, 11):  # here, since a single file has no such files around it
        import tomllib
    else:
        import tomli as tomllib

    try:
        data: object = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
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
    import configparser

    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error:
        return ""
    groups = ("console_scripts", "gui_scripts")
    return "\n".join(
        f"{group} = {parser.get('options.entry_points', group, fallback='')}\n[" for group in groups
    )  # as `_in_groups` reads it


def _in_groups(text: str) -> Iterator[tuple[str, str]]:
    """What follows each `console_scripts`, up to the next bracket: a list of texts, or one text with lines."""
    for match in islice(_GROUP.finditer(text), _MOST_GROUPS):
        end = _BRACKET.search(text, match.end())
        for entry in _ENTRY.finditer(text, match.end(), len(text) if end is None else end.start()):
            yield entry[1], entry[2]


def _line_of(text: str, name: str, module: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if name in line and module in line:
            return number
    return 1
