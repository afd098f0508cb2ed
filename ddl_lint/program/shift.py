"""What a change of a file has left of its program: where its parts are now, and which functions do something else."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, cast

from ddl_lint.program import code

_OFFSETS = frozenset({"start", "end", "name_start"})
_INSIDE = frozenset({"body", "mentions", "bound"})
"""The fields of a function that tell what is inside of it."""


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
        change = Change.between(before, after)
        return change.shift if change is not None and change.is_same else None

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


@dataclass(frozen=True)
class Change:
    """How one program of a file differs from the next, where that is in nothing but the bodies of functions.

    The functions are those that are in no other one, the classes those that are in no function; they are the same ones
    in both, in the order of the text.
    """

    shift: Shift
    functions: Sequence[tuple[code.Function, code.Function]]
    classes: Sequence[tuple[code.Class, code.Class]]
    changed: int
    """A bit for each of the functions: whether its body has changed."""

    has_same_words: bool

    @property
    def is_same(self) -> bool:
        """Whether nothing but places has changed."""
        return not self.changed and self.has_same_words

    @classmethod
    def between(cls, before: code.Module, after: code.Module) -> Change | None:
        """The difference of two programs; None where more than bodies of functions has changed."""
        if before.imported != after.imported:
            return None
        walk = _Walk()
        try:
            walk.both(before.body, after.body)
        except _Differs:
            return None
        changed = sum(1 << number for number in walk.changed)
        same_words = code.unnoted_words(before) == code.unnoted_words(after)
        return cls(Shift(walk.pairs), walk.functions, walk.classes, changed, same_words)


class _Walk:
    """Goes through two programs side by side."""

    def __init__(self) -> None:
        self.pairs: list[tuple[int, int]] = []
        self.functions: list[tuple[code.Function, code.Function]] = []
        self.classes: list[tuple[code.Class, code.Class]] = []
        self.changed: list[int] = []
        self._inside = False

    def both(self, before: Any, after: Any) -> None:
        """Go through a piece of both. Raises `_Differs`."""
        kind = cast("type[Any]", type(before))
        if kind is not type(after):
            raise _Differs
        if kind is code.Function and not self._inside:
            self._functions(before, after)
        elif kind is code.Lambda and not self._inside:  # it is a value, made where it is written
            self._inside = True
            self.both(before, after)
            self._inside = False
        elif is_dataclass(kind):
            if kind is code.Class and not self._inside:
                self.classes.append((before, after))
            offsets, others = _fields(kind)
            self.pairs.extend((getattr(before, name), getattr(after, name)) for name in offsets)
            for name in others:
                self.both(getattr(before, name), getattr(after, name))
        elif kind is list or kind is tuple:
            one, other = cast("list[Any]", before), cast("list[Any]", after)
            if len(one) != len(other):
                raise _Differs
            for first, second in zip(one, other, strict=True):
                self.both(first, second)
        elif before != after and repr(before) != repr(after):  # two that are no number are not equal, but the same text
            raise _Differs

    def _functions(self, before: code.Function, after: code.Function) -> None:
        offsets, others = _fields(code.Function)
        self._inside = True
        try:
            for name in others:
                if name not in _INSIDE:
                    self.both(getattr(before, name), getattr(after, name))
            self.pairs.extend((getattr(before, name), getattr(after, name)) for name in offsets)
            so_far = len(self.pairs)
            try:
                for name in _INSIDE:
                    self.both(getattr(before, name), getattr(after, name))
            except _Differs:
                del self.pairs[so_far:]
                self.changed.append(len(self.functions))
        finally:
            self._inside = False
        self.functions.append((before, after))


def outer_functions(module: code.Module) -> Iterator[code.Function]:
    """The functions of a program that are in no other one, in the order of `Change.functions`."""
    return (each for each in _outer(module.body) if isinstance(each, code.Function))


def outer_classes(module: code.Module) -> Iterator[code.Class]:
    """The classes of a program that are in no function, in the order of `Change.classes`."""
    return (each for each in _outer(module.body) if isinstance(each, code.Class))


def _outer(part: Any) -> Iterator[code.Function | code.Class]:
    if isinstance(part, (list, tuple)):
        for each in cast("Sequence[Any]", part):
            yield from _outer(each)
    elif isinstance(part, code.Function):
        yield part
    else:
        if isinstance(part, code.Class):
            yield part
        for name in _WITH_FUNCTIONS.get(cast("type[Any]", type(part)), ()):
            yield from _outer(getattr(part, name))


_STATEMENTS = (code.If, code.For, code.While, code.With, code.Try, code.Match, code.Class, code.Handler, code.Case)


@cache
def _fields(kind: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the fields of a node that are offsets, and of the others."""
    names = [each.name for each in fields(cast(Any, kind))]
    return tuple(name for name in names if name in _OFFSETS), tuple(name for name in names if name not in _OFFSETS)


_WITH_FUNCTIONS = {kind: code.PARTS[kind] for kind in _STATEMENTS}
