"""Puts a rule among those that a configuration file leaves out. Its comments, its order and its layout stay.

TOML's parser keeps no places. So several plausible changes are made to the text, and the first one counts that makes
the parser read what was there before and the rule, and nothing else.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from ddl_lint.source.toml_text import TomlError, read_toml

_KEY = "ignore"
_MOST_CANDIDATES = 20  # each is parsed
_LIST = re.compile(r"""(?:^|[{,\n.])[ \t]*["']?ignore["']?[ \t]*=[ \t]*\[""")
_TABLE = re.compile(r"""^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*["']?ddl-lint["']?[ \t]*\][^\n]*(?:\n|$)""", re.MULTILINE)
_PART = re.compile(r"""^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*["']?ddl-lint["']?[ \t]*\.""", re.MULTILINE)
_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_TOKEN = re.compile(
    r"""(?P<string>\"""(?:[^\\]|\\.)*?\"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(?P<comment>\#[^\n]*)|(?P<end>\])|(?P<comma>,)""",
    re.DOTALL,
)


def with_ignored(text: str, rule: str, *, in_pyproject: bool) -> str | None:
    """The text of a configuration file with one more rule to leave out.

    None where the text is no TOML, leaves it out already, or is written so that no change is known.

    Args:
        text: Of the file; of a new one if it is empty.
        rule: Its name.
        in_pyproject: Whether ours is the table `[tool.ddl-lint]`, or all of it.
    """
    # As one kind of line end: the parser reads no other in lists of several lines, and so the rest is simpler.
    newline = "\r\n" if "\r\n" in text else "\n"
    plain = text.replace("\r\n", "\n")
    expected = _expected(plain, rule, in_pyproject=in_pyproject)
    if expected is None:
        return None
    candidates = _candidates(plain, f'"{rule}"', in_pyproject=in_pyproject)
    for candidate in itertools.islice(candidates, _MOST_CANDIDATES):
        if _parsed(candidate) == expected:
            return candidate.replace("\n", newline)
    return None


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return read_toml(text)
    except TomlError:
        return None


def _expected(text: str, rule: str, *, in_pyproject: bool) -> dict[str, Any] | None:
    try:
        data = copy.deepcopy(_parsed(text))
    except RecursionError:  # copying goes a little deeper than parsing
        return None
    if data is None:
        return None
    table = data
    for name in ("tool", "ddl-lint") if in_pyproject else ():
        inner: Any = table.setdefault(name, {})
        if not isinstance(inner, dict):
            return None
        table = cast("dict[str, Any]", inner)
    known: Any = table.setdefault(_KEY, [])
    if not isinstance(known, list) or rule in known:
        return None
    cast("list[Any]", known).append(rule)
    return data


def _candidates(text: str, value: str, *, in_pyproject: bool) -> Iterator[str]:
    for found in _LIST.finditer(text):
        known = _list_at(text, found.end())
        if known is not None:
            yield known.with_value(text, value)
    line = f"{_KEY} = [{value}]\n"
    if in_pyproject:
        for found in _TABLE.finditer(text):
            yield _inserted(text, found.end(), line)
        table = f"[tool.ddl-lint]\n{line}"
        for found in _PART.finditer(text):
            yield _inserted(text, found.start(), f"{table}\n")
        yield _inserted(text, len(text), f"\n{table}" if text.strip() else table)
    else:
        yield _inserted(text, _end_of_top(text), line)


def _inserted(text: str, at: int, lines: str) -> str:
    before = "\n" if at and text[at - 1] != "\n" else ""
    return text[:at] + before + lines + text[at:]


def _end_of_top(text: str) -> int:
    """Where the keys before the first table end; comments and blank lines right above a table belong to it."""
    header = _HEADER.search(text)
    if header is None:
        return len(text)
    lines = text[: header.start()].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return sum(map(len, lines))


@dataclass(frozen=True, slots=True)
class _List:
    """A list of strings in a text."""

    start: int
    """After its bracket."""
    end: int
    """Of its other bracket."""
    first: int | None
    last: int | None
    """Where the first value starts and the last one ends; None without values."""
    is_ended: bool
    """Whether a comma follows the last value."""

    def with_value(self, text: str, value: str) -> str:
        """The text with one more value, on a line of its own if the others are."""
        if self.first is None or self.last is None:
            return text[: self.start] + value + text[self.start :]
        line = text.rfind("\n", 0, self.end) + 1
        if line <= self.last or text[line : self.end].strip():
            separator = " " if self.is_ended else ", "
            place = text.index(",", self.last) + 1 if self.is_ended else self.last
            return text[:place] + separator + value + text[place:]
        margin = text[text.rfind("\n", 0, self.first) + 1 : self.first]
        indent = margin if not margin.strip() else "    "
        comma = "" if self.is_ended else ","
        added = f"{indent}{value}{',' if self.is_ended else ''}\n"
        return text[: self.last] + comma + text[self.last : line] + added + text[line:]


def _list_at(text: str, start: int) -> _List | None:
    """The list whose first bracket ends at `start`; None if it has no end, or is not one of strings."""
    at, first, last, is_ended = start, None, None, False
    while (token := _TOKEN.search(text, at)) is not None:
        if token["comment"] is None and text[at : token.start()].strip():
            return None
        at = token.end()
        if token["string"] is not None:
            first = token.start() if first is None else first
            last, is_ended = at, False
        elif token["comma"] is not None:
            is_ended = True
        elif token["end"] is not None:
            return _List(start, token.start(), first, last, is_ended)
    return None
