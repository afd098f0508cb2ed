"""Calls that write into their argument and return nothing, and the uses of that nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Evidence
from ddl_lint.program.event_types import LoseResult, UseResult
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Const

_Happening = TypeVar("_Happening", bound=Event)


def misread(run: RunView, kind: type[_Happening]) -> Iterator[tuple[_Happening, UseResult]]:
    """The calls of a kind of which the program computes something, each with the event of the use."""
    calls = {event.location: event for event in run.events(kind)}
    lost = {event.location for event in run.events(LoseResult) if event.name is None}
    for use in run.events(UseResult):
        value = use.operands["value"]
        call = calls.get(value.location) if isinstance(value, Const) and value.location is not None else None
        if call is not None and call.location not in lost:
            yield call, use


def used_at(call: Event, use: Event) -> tuple[Evidence, ...]:
    """The place of the use, unless it is the very expression around the call."""
    if use.location.covers(call.location):
        return ()
    return (Evidence("its result is used here", use.location),)
