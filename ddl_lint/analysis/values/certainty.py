"""Questions about values: what a value surely is, what it may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of, tags_of_all
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.program.heap import Heap
from ddl_lint.program.tags import NUMBER
from ddl_lint.program.trace import Event
from ddl_lint.program.values import (
    NONE,
    Apply,
    Const,
    DeviceCount,
    Flag,
    Object,
    Rank,
    Setting,
    Unknown,
    Value,
    WorldSize,
)


def always(value: Value | None, test: Callable[[Value], bool]) -> bool:
    """Whether every alternative of a value passes a test; an absent value does not."""
    return value is not None and all(test(option) for option in alternatives(value))


def sometimes(value: Value | None, test: Callable[[Value], bool]) -> bool:
    """Whether some alternative of a value passes a test."""
    return value is not None and any(test(option) for option in alternatives(value))


def is_constant(value: Value | None, *expected: object) -> bool:
    """Whether a value is surely one of these literals."""
    return always(value, lambda option: isinstance(option, Const) and option in [Const(item) for item in expected])


def is_object(value: Value | None, *kinds: str) -> bool:
    """Whether a value is surely an object of one of these kinds."""
    return always(value, lambda option: isinstance(option, Object) and option.kind in kinds)


def objects(value: Value | None, *kinds: str) -> list[Object]:
    """The objects of these kinds that a value may be."""
    if value is None:
        return []
    return [
        option for option in alternatives(value) if isinstance(option, Object) and (not kinds or option.kind in kinds)
    ]


def is_absent(event: Event, role: str) -> bool:
    """Whether a call surely leaves an operand out, or gives None for it."""
    if role in event.unseen:
        return False
    value = event.operands.get(role)
    return value is None or value == NONE


_EVERYBODY = (NONE, Const("world"))


def is_default_group(group: Value | None) -> bool:
    """Whether a process group is surely the default one, of all ranks; so it is where none is given."""
    return group is None or always(group, lambda option: option in _EVERYBODY)


def is_known(value: Value | None) -> bool:
    """Whether something is known of every alternative of a value."""
    return always(value, lambda option: not isinstance(option, (Unknown, Setting)))


def depends_on_rank(value: Value | None) -> bool:
    """Whether a value differs between processes because of their number."""
    return value is not None and bool(tags_of(value) & RANK_TAGS)


def is_rank(value: Value | None, *scopes: str) -> bool:
    """Whether a value is surely the number of this process, counted in one of these scopes."""
    return always(value, lambda option: isinstance(option, Rank) and (not scopes or option.scope in scopes))


def counts_by_rank(value: Value) -> bool:
    """Whether a value is computed with the number of this process: not only something that differs, such as a token
    that one rank has asked for.
    """
    return any(isinstance(part, Rank) for part in parts(value))


def is_divided(loader: Object, heap: Heap, left: Callable[[Value], Iterable[Value]] = alternatives) -> bool:
    """Whether a loader may give each rank a part of the data of its own, by one of the options that are left of what it
    is made of.
    """
    if loader.traits.get("shards_data"):
        return True
    if loader.kind == "dataset":
        return any(map(counts_by_rank, loader.given.values())) or any(
            inner is not loader and is_divided(inner, heap, left)
            for value in loader.given.values()
            for inner in objects(value, "dataset")
        )
    if loader.kind in ("sampler", "batch_sampler") and loader.definition is not None:
        return bool(tags_of_all((*loader.given.values(), *heap.attributes(loader).values())) & RANK_TAGS)
    inner = (loader.given.get(name) for name in ("sampler", "batch_sampler", "dataset"))
    return any(
        isinstance(option, Object) and is_divided(option, heap, left)
        for value in inner
        if value is not None
        for option in left(value)
    )


def last_word(value: Unknown) -> str:
    """The name under which something unknown was read, if it was read by name."""
    origin: Any = value.origin
    return origin[-1] if isinstance(origin, tuple) and origin and isinstance(origin[-1], str) else ""


def is_number(value: Value) -> bool:
    """Whether a value is surely no tensor."""
    if isinstance(value, Unknown):
        return NUMBER in value.tags
    if isinstance(value, Apply):
        return value.operator in _NUMBERS or all(map(is_number, value.operands))
    return isinstance(value, (Const, Rank, WorldSize, DeviceCount, Flag, Setting))


_NUMBERS = frozenset({"len", "ceil", "floor", "range", "in", "not in", "is", "is not", "not", "bounds"})
"""Operators whose result is a number or the like, whatever the operands are."""
