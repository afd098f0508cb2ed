"""Questions about values: what a value surely is, what it may be."""

from __future__ import annotations

from collections.abc import Callable

from ddl_lint.analysis.values.operations import RANK_TAGS, alternatives, tags_of
from ddl_lint.program.trace import Event
from ddl_lint.program.values import NONE, Const, Object, Rank, Setting, Unknown, Value


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
