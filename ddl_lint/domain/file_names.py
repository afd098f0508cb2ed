"""The names of files, as a program writes them: whether two of them are, or may be, one file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.domain import match
from ddl_lint.program.values import Alternatives, Apply, Const, Setting, Value


@dataclass(frozen=True)
class FileName:
    """A path as the code writes it, as plain data, which runs may tell each other."""

    written: object
    """Equal for what is surely the same file; None where that is unknown."""

    literal: bool
    """Whether the whole of it is written in the code."""

    name: str | None
    """The last part, where it is written."""

    pattern: str | None
    """What the last part looks like; None where nothing is known of it."""

    @classmethod
    def of(cls, path: Value | None) -> FileName | None:
        """The name that a path has in the code; None where there is no path."""
        if path is None:
            return None
        if isinstance(path, Alternatives):
            ways = {cls.of(option) for _, option in path.options}
            alike = {(way.name, way.pattern) for way in ways if way is not None}
            return cls(None, False, *alike.pop()) if len(alike) == 1 else cls(None, False, None, None)
        pieces = _pieces(_last(path))
        written = as_data(path)
        name = "".join(piece for piece in pieces if piece) if pieces and None not in pieces else None
        pattern = "".join(".*" if piece is None else re.escape(piece) for piece in pieces) if any(pieces) else None
        return cls(written, isinstance(path, Const), name, pattern)

    def is_same(self, other: FileName | None) -> bool:
        """Whether both are surely the same file."""
        return other is not None and other.written is not None and self.written == other.written

    def may_be(self, other: FileName | None) -> bool:
        """Whether both may be the same file; two different literals are not, nor files of different names."""
        if other is None or self.is_same(other):
            return True
        if self.literal and other.literal:
            return False
        if self.pattern is None or other.pattern is None:
            return True
        if self.name is not None or other.name is not None:
            pairs = ((self.name, other.pattern), (other.name, self.pattern))
            return all(name is None or re.fullmatch(pattern, name) is not None for name, pattern in pairs)
        ours, theirs = self.pattern.split(".*"), other.pattern.split(".*")
        return _agree(ours[0], theirs[0]) and _agree(ours[-1][::-1], theirs[-1][::-1])

    def looks_like(self, other: FileName | None) -> bool:
        """Whether they are the same file, or the last part of one looks as that of the other is written."""
        if other is None or self.is_same(other):
            return other is not None
        if self.pattern is None or other.pattern is None:
            return False
        is_one_named = self.name is not None or other.name is not None
        return self.pattern == other.pattern or (is_one_named and self.may_be(other))


def as_data(value: Value) -> object:
    """A value as plain data, which means the same in all programs of a project; equal values give equal data. None
    where it is not made of what the code writes.
    """
    if isinstance(value, Const):
        return type(value.value).__name__, value.value
    if isinstance(value, Setting):
        return "setting", value.name
    if isinstance(value, Apply):
        operands = [as_data(operand) for operand in value.operands]
        return None if None in operands else (value.operator, *operands)
    return None


def _last(path: Value) -> Value | None:
    """The last part of a path, as far as it is written in the code; `str(path)` is the path."""
    while isinstance(path, Apply) and path.operator == "text" and len(path.operands) == 1:
        path = path.operands[0]
    names = match.path_parts(path)
    return path if names is None else names[-1]


def _pieces(name: Value | None) -> list[str | None]:
    """The pieces of a name that is put together; None for those that are not known."""
    pieces: list[str | None] = []
    for part in _parts(name):
        if not isinstance(part, Const) or not isinstance(part.value, str):
            pieces.append(None)
            continue
        _, slash, last = part.value.rpartition("/")
        pieces = [last] if slash else [*pieces, last]
    return pieces


def _parts(name: Value | None) -> Iterator[Value | None]:
    """What a name is put together of, one after the other."""
    written = match.text_pieces(name) or match.addition(name)
    if written is None:
        yield name
        return
    for part in written:
        yield from _parts(part)


def _agree(first: str, second: str) -> bool:
    """Whether one text begins with the other."""
    return first.startswith(second) or second.startswith(first)
