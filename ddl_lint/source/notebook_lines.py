"""Where the code of a notebook is in its JSON: programs that know nothing of cells count the lines of the file."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, TypeVar

from ddl_lint.source.lexer import physical_lines

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class CellText:
    """The source of a cell: its strings, each with the line of the file that it is on."""

    strings: Sequence[tuple[str, int]] = ()

    def lines_of(self, text: str) -> tuple[int, ...]:
        """The line of the file for each line of the cell; none where the cell has another text than that."""
        if "".join(string for string, _ in self.strings) != text:
            return ()
        strings = [each for each in self.strings if each[0]] or [("", line) for _, line in self.strings[:1]]
        if not strings:
            return ()
        starts = list(accumulate((len(string) for string, _ in strings[:-1]), initial=0))
        begins = accumulate(map(len, physical_lines(text)), initial=0)
        return tuple(strings[bisect_right(starts, begin) - 1][1] for begin in begins)


def cell_texts(text: str) -> list[CellText]:
    """The source of each cell of a notebook's JSON, which is known to be right."""
    return _Reader(text).member("cells", _cells) or []


def _cells(reader: _Reader) -> list[CellText]:
    return reader.items(_cell)


def _cell(reader: _Reader) -> CellText:
    return CellText(reader.member("source", _strings) or ())


def _strings(reader: _Reader) -> list[tuple[str, int]]:
    found = reader.items(_string) if reader.is_at("[") else [_string(reader)]
    return [(string, line) for string, line in found if isinstance(string, str)]


def _string(reader: _Reader) -> tuple[Any, int]:
    line = reader.line
    return reader.value(), line


@dataclass(slots=True)
class _Reader:
    """Goes over a JSON text. What is not asked for is passed over by the decoder of the standard library."""

    text: str
    at: int = 0
    _counted: tuple[int, int] = field(default=(0, 1), init=False)
    """An offset, and the line that it is on."""

    def __post_init__(self) -> None:
        self._pass(0)

    def is_at(self, sign: str) -> bool:
        """Whether that is what comes next."""
        return self.text[self.at] == sign

    @property
    def line(self) -> int:
        """The line of the next value."""
        offset, line = self._counted
        line += self.text.count("\n", offset, self.at)
        self._counted = self.at, line
        return line

    def value(self) -> Any:
        """The next value, whatever it is."""
        value, end = _DECODER.raw_decode(self.text, self.at)
        self._pass(end)
        return value

    def member(self, name: str, read: Callable[[_Reader], _Read]) -> _Read | None:
        """What is read of a member of the next value; the last one counts where an object has several of a name."""
        found: _Read | None = None
        if not self.is_at("{"):
            self.value()
            return None
        self._pass(self.at + 1)
        while not self.is_at("}"):
            key = self.value()
            self._pass(self.at + 1)  # the colon
            if key == name:
                found = read(self)
            else:
                self.value()
            if self.is_at(","):
                self._pass(self.at + 1)
        self._pass(self.at + 1)
        return found

    def items(self, read: Callable[[_Reader], _Read]) -> list[_Read]:
        """What is read of each item of the next value."""
        found: list[_Read] = []
        if not self.is_at("["):
            self.value()
            return found
        self._pass(self.at + 1)
        while not self.is_at("]"):
            found.append(read(self))
            if self.is_at(","):
                self._pass(self.at + 1)
        self._pass(self.at + 1)
        return found

    def _pass(self, end: int) -> None:
        blank = _BLANK.match(self.text, end)
        self.at = blank.end() if blank else end
