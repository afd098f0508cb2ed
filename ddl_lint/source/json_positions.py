"""JSON with the place of every key and value, as people write it: with comments and commas that are too many.

What is read is what `json.load` reads, and more: comments (`//`, `/* */`, `#`) and a comma after the last entry.
`JsonText` says where those are, since a strict reader fails there.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from ddl_lint.source.nodes import Mapping, Member, Node, Scalar, Sequence
from ddl_lint.source.span import Span

MAX_DEPTH = 200
"""Deeper files are refused: no configuration is, and the reader works by recursion."""

_BLANK = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|#[^\r\n]*|/\*.*?\*/", re.DOTALL)
_LITERAL = re.compile(r"[-+\w.]+")
_DECODER = json.JSONDecoder()


class JsonError(ValueError):
    """A text that is not JSON. `message` says what is wrong at `offset`."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message, offset)
        self.message = message
        self.offset = offset


@dataclass(frozen=True, slots=True)
class JsonText:
    """A JSON text that has been read."""

    root: Node
    comments: tuple[Span, ...]
    trailing_commas: tuple[Span, ...]
    """The commas after a last entry."""

    @property
    def is_strict(self) -> bool:
        """Whether a reader that knows nothing but JSON can read it."""
        return not self.comments and not self.trailing_commas


def read_json(text: str) -> JsonText:
    """Read a whole text. Raises `JsonError`."""
    reader = _Reader(text)
    start = reader.skip(0)
    root = reader.node(start, 0)
    end = reader.skip(root.span.end)
    if end < len(text):
        raise JsonError("something follows the value", end)
    return JsonText(root, tuple(reader.comments), tuple(reader.trailing_commas))


@dataclass
class _Reader:
    text: str
    comments: list[Span] = field(default_factory=list[Span])
    trailing_commas: list[Span] = field(default_factory=list[Span])

    def skip(self, offset: int) -> int:
        """Where the next code is; comments on the way are noted."""
        text = self.text
        while True:
            match = _BLANK.match(text, offset)
            offset = match.end() if match else offset
            if text[offset : offset + 1] not in ("/", "#"):
                return offset
            comment = _COMMENT.match(text, offset)
            if comment is None:
                raise JsonError("a comment has no end", offset)
            self.comments.append(Span(*comment.span()))
            offset = comment.end()

    def node(self, start: int, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise JsonError("it is nested too deeply", start)
        first = self.text[start : start + 1]
        if first == "{":
            return self._mapping(start, depth)
        if first == "[":
            return self._sequence(start, depth)
        return self._scalar(start)

    def _scalar(self, start: int) -> Scalar:
        try:
            value, end = _DECODER.raw_decode(self.text, start)
        except json.JSONDecodeError as error:
            raise JsonError(f"{error.msg[:1].lower()}{error.msg[1:]}", error.pos) from None
        except ValueError:  # a number of thousands of digits
            raise JsonError("a number is too long", start) from None
        if isinstance(value, str):
            return Scalar(Span(start, end), value, value, "double")
        # `01` and `1abc` begin like a number.
        word = _LITERAL.match(self.text, start)
        if word is not None and word.end() != end:
            raise JsonError("this is no value", start)
        return Scalar(Span(start, end), value, self.text[start:end])

    def _mapping(self, start: int, depth: int) -> Mapping:
        members: list[Member] = []
        offset = self.skip(start + 1)
        while self.text[offset : offset + 1] != "}":
            if self.text[offset : offset + 1] != '"':
                raise JsonError("a key in double quotes is expected", offset)
            key = self._scalar(offset)
            colon = self.skip(key.span.end)
            if self.text[colon : colon + 1] != ":":
                raise JsonError("a colon is expected after the key", colon)
            value = self.node(self.skip(colon + 1), depth + 1)
            members.append(Member(key, value))
            offset = self._next(value.span.end, "}")
        return Mapping(Span(start, offset + 1), tuple(members))

    def _sequence(self, start: int, depth: int) -> Sequence:
        items: list[Node] = []
        offset = self.skip(start + 1)
        while self.text[offset : offset + 1] != "]":
            item = self.node(offset, depth + 1)
            items.append(item)
            offset = self._next(item.span.end, "]")
        return Sequence(Span(start, offset + 1), tuple(items))

    def _next(self, end: int, bracket: str) -> int:
        """Where the entry after one begins, or the closing bracket is."""
        offset = self.skip(end)
        if self.text[offset : offset + 1] == ",":
            following = self.skip(offset + 1)
            if self.text[following : following + 1] == bracket:
                self.trailing_commas.append(Span(offset, offset + 1))
            return following
        if self.text[offset : offset + 1] != bracket:
            raise JsonError(f"a comma or `{bracket}` is expected", offset)
        return offset
