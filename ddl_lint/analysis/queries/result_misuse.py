"""Calls that write into their argument and return nothing, and the uses of that nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Evidence
from ddl_lint.program.events import EventKind
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Const


def misread(run: RunView, kind: EventKind) -> Iterator[tuple[Event, Event]]:
    """The calls of a kind of which the program computes something, each with the event of the use."""
    calls = {event.location: event for event in run.events(kind)}
    lost = {event.location for event in run.events("lose_result") if "name" not in event.operands}
    for use in run.events("use_result"):
        value = use.operands["value"]
        call = calls.get(value.location) if isinstance(value, Const) and value.location is not None else None
        if call is not None and call.location not in lost:
            yield call, use


def used_at(call: Event, use: Event) -> tuple[Evidence, ...]:
    """The place of the use, unless it is the very expression around the call."""
    outer, inner = use.location, call.location
    if outer.path == inner.path and outer.start <= inner.start and inner.end <= outer.end:
        return ()
    return (Evidence("its result is used here", outer),)
