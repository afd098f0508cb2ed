"""The words for the kinds of events, and the roles of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import cast

from ddl_lint.program import event_types
from ddl_lint.program.events import EventKind
from ddl_lint.program.role import Role
from ddl_lint.program.trace import Event

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def _roles(of: type[Event]) -> Iterator[str]:
    for base in (of, *of.__bases__):
        yield from (each.name for each in vars(base).values() if isinstance(each, Role))


KINDS: Mapping[type[Event], EventKind] = {
    each: cast("EventKind", _CAPITAL.sub("_", name).lower())
    for name, each in vars(event_types).items()
    if isinstance(each, type) and issubclass(each, Event) and each is not Event and not name.startswith("_")
}
"""The word for each kind of event."""

EVENT_TYPES: Mapping[EventKind, type[Event]] = {kind: each for each, kind in KINDS.items()}

EVENT_ROLES: Mapping[EventKind, tuple[str, ...]] = MappingProxyType(
    {kind: tuple(_roles(each)) for each, kind in KINDS.items()}
)
"""Event kind -> the roles of its operands."""


def kind_of(kind: type[Event] | EventKind) -> EventKind:
    """The word for a kind of event."""
    return KINDS[kind] if isinstance(kind, type) else kind
