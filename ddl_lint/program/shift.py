"""Where the parts of a program are after its text has changed in nothing but comments, blanks and blank lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, cast

from ddl_lint.program import code

_OFFSETS = frozenset({"start", "end", "name_start"})


class _Differs(Exception):
    """The two programs are not the same."""


class Shift:
    """Offsets of one text of a program in another one."""

    def __init__(self, pairs: Iterable[tuple[int, int]]) -> None:
        """`pairs` are offsets of the same parts in both."""
        ordered = sorted({(0, 0), *pairs})
        self._before = [before for before, _ in ordered]
        self._moved = [after - before for before, after in ordered]

    @classmethod
    def between(cls, before: code.Module, after: code.Module) -> Shift | None:
        """How the parts of a program have moved; None where it is not the same program any more."""
        pairs: list[tuple[int, int]] = []
        try:
            _walk((before.body, before.imported, before.words), (after.body, after.imported, after.words), pairs)
        except _Differs:
            return None
        return cls(pairs)

    def at(self, offset: int) -> int | None:
        """The place of an offset now; None where it lies in what has changed."""
        index = bisect_right(self._before, offset) - 1
        moved = self._moved[index]
        if self._before[index] == offset:
            return offset + moved
        following = index + 1
        if following == len(self._before) or self._moved[following] != moved:
            return None
        return offset + moved


def _walk(before: Any, after: Any, pairs: list[tuple[int, int]]) -> None:
    """Go through two programs side by side."""
    kind = cast("type[Any]", type(before))
    if kind is not type(after):
        raise _Differs
    if is_dataclass(kind):
        offsets, others = _fields(kind)
        pairs.extend((getattr(before, name), getattr(after, name)) for name in offsets)
        for name in others:
            _walk(getattr(before, name), getattr(after, name), pairs)
    elif kind is list or kind is tuple:
        one, other = cast("list[Any]", before), cast("list[Any]", after)
        if len(one) != len(other):
            raise _Differs
        for first, second in zip(one, other, strict=True):
            _walk(first, second, pairs)
    elif before != after and repr(before) != repr(after):  # two that are no number are not equal, but the same text
        raise _Differs


@cache
def _fields(kind: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the fields of a node that are offsets, and of the others."""
    names = [each.name for each in fields(cast(Any, kind))]
    return tuple(name for name in names if name in _OFFSETS), tuple(name for name in names if name not in _OFFSETS)
