"""Where the nodes of Python's own parser are, as offsets.

That parser tells lines and columns, counts columns in bytes, and says little of parentheses. What it leaves out is read
from the text beside the nodes; where that is not plain, there is a `Doubt`.
"""

from __future__ import annotations

import ast
import re

_BLANK = re.compile(r"(?:[ \t\r\n]|\\\r?\n|#[^\n]*\n)*")
_SEMICOLON = re.compile(r"[ \t]*;")
_WORD = re.compile(r"(?:async(?:[ \t]|\\\r?\n)+)?(?:def|class)(?:[ \t]|\\\r?\n)+")
_CASE = re.compile(r"case[ \t(]*\Z")


class Doubt(Exception):
    """The text may mean, or place, something else for libcst."""


class Places:
    """The places of nodes in one text.

    Spans are offsets of the document, in which the text starts at `base`.
    """

    def __init__(self, text: str, base: int = 0) -> None:
        self._text = text
        self._base = base
        self._lines = None if text.isascii() else text.split("\n")
        starts = [base, base]  # lines count from 1
        find = text.find
        end = find("\n")
        while end >= 0:
            starts.append(base + end + 1)
            end = find("\n", end + 1)
        self._starts = starts

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias | ast.excepthandler | ast.pattern
             ) -> tuple[int, int]:  # fmt: skip
        """Start and end of a node, as the parser has them."""
        line, column = node.end_lineno, node.end_col_offset
        assert line is not None and column is not None
        if self._lines is None:
            starts = self._starts
            return starts[node.lineno] + node.col_offset, starts[line] + column
        return self._offset(node.lineno, node.col_offset), self._offset(line, column)

    def _offset(self, line: int, column: int) -> int:
        assert self._lines is not None
        text = self._lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode())
        return self._starts[line] + column

    def text(self, start: int, end: int) -> str:
        """The text of a span."""
        return self._text[start - self._base : end - self._base]

    def goes_on(self, end: int) -> bool:
        """Whether a semicolon follows a statement."""
        return _SEMICOLON.match(self._text, end - self._base) is not None

    def after_name_word(self, start: int, name: str) -> int:
        """Where the name of the function or class begins that starts at `start`."""
        match = _WORD.match(self._text, start - self._base)
        if match is None or not self._text.startswith(name, match.end()):
            raise Doubt
        return match.end() + self._base

    def case(self, pattern: int) -> int:
        """Where the `case` begins whose pattern starts at `pattern`."""
        place = pattern - self._base
        match = _CASE.search(self._text, self._text.rfind("\n", 0, place) + 1, place)
        if match is None:
            raise Doubt
        return match.start() + self._base

    def sign(self, name: int, sign: str) -> int:
        """Where the sign is before the name of a parameter."""
        place = name - self._base
        start = len(self._text[:place].rstrip(" \t")) - len(sign)
        if not self._text.startswith(sign, start):
            raise Doubt
        return start + self._base

    def default_end(self, end: int, start: int, stop: int) -> int:
        """Where a parameter ends that without its default ends at `end`; the default is from `start` to `stop`."""
        place = self._skip(end - self._base)
        if not self._text.startswith("=", place):
            raise Doubt
        return self._past_closed(stop, self._opened(place + 1 + self._base, start))

    def slice_end(self, end: int) -> int:
        """The end of a slice: blanks after its last colon belong to it."""
        place = end - self._base
        return self._skip(place) + self._base if self._text.startswith(":", place - 1) else end

    def closed_end(self, end: int) -> int:
        """The end of an operand that ends at `end` with all parentheses that close after it."""
        place = end - self._base
        while True:
            following = self._skip(place)
            if not self._text.startswith(")", following):
                return place + self._base
            place = following + 1

    def inside(self, start: int, end: int, last: int) -> tuple[int, int]:
        """The inside of the parentheses at `start` and `end`, up to the last thing in them, which ends at `last`.

        Parentheses around that thing belong to it, and so does a comma after it.
        """
        stop = end - self._base - 1
        place = last - self._base
        while True:
            following = self._skip(place)
            if following >= stop:
                break
            if self._text[following] not in "),":
                raise Doubt
            place = following + 1
        return self._skip(start - self._base + 1) + self._base, place + self._base

    def is_enclosed(self, start: int, end: int, first: tuple[int, int]) -> bool:
        """Whether the parenthesis at `start` is that of a tuple, rather than of its first item or of nothing."""
        if not self._text.startswith("(", start - self._base) or not self._text.startswith(")", end - self._base - 1):
            return False
        opened = self._opened(start, first[0])
        closed, place = 0, self._skip(first[1] - self._base)
        while self._text.startswith(")", place):
            closed, place = closed + 1, self._skip(place + 1)
        if not self._text.startswith(",", place) or not 0 <= opened - closed <= 1:
            raise Doubt
        return opened > closed

    def closing(self, start: int, end: int) -> int | None:
        """Where the parenthesis is that closes right after an expression, if one opens right before it."""
        place = self._skip(end - self._base)
        if not self._text.startswith(")", place):
            return None
        return place + self._base if self._sign_before(start - self._base) == "(" else None

    def _sign_before(self, place: int) -> str:
        """The last sign before a place that is neither blank nor of a comment; empty where there is none."""
        while place:
            line = self._text.rfind("\n", 0, place) + 1
            before = self._text[line:place].rstrip(" \t\r\n")
            if "#" in before:
                if "'" in before or '"' in before:
                    raise Doubt
                before = before[: before.index("#")].rstrip(" \t")
            if before:
                if before.endswith("\\"):
                    raise Doubt
                return before[-1]
            place = line - 1 if line else 0
        return ""

    def _skip(self, place: int) -> int:
        match = _BLANK.match(self._text, place)
        return place if match is None else match.end()

    def _opened(self, before: int, start: int) -> int:
        """How many parentheses open between two offsets, where nothing else may be."""
        place, stop, opened = self._skip(before - self._base), start - self._base, 0
        while place < stop:
            if self._text[place] != "(":
                raise Doubt
            opened, place = opened + 1, self._skip(place + 1)
        return opened

    def _past_closed(self, end: int, count: int) -> int:
        place = end - self._base
        for _ in range(count):
            place = self._skip(place)
            if not self._text.startswith(")", place):
                raise Doubt
            place += 1
        return place + self._base
