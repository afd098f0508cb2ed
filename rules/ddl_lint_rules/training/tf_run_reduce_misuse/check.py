"""Finds calls of strategies that cannot work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Table,
    Value,
    is_absent,
    is_constant,
    objects,
    replica_call,
    replica_calls,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    yield from _reductions(run)
    for call in replica_calls(run):
        if _is_one_value(call.operands.get("tensor")):
            yield Finding("Crash: positional args must be a list or tuple: `args=(batch,)`", call.location)
    for event in run.events("fit"):
        call = replica_call(run, event)
        if call is not None:
            message = "Crash: Keras trains with all replicas itself, and cannot be called by one of them"
            yield Finding(message, event.location, (Evidence("each replica runs this", call.location),))


def _reductions(run: RunView) -> Iterator[Finding]:
    for event in run.events("collective"):
        driven = objects(event.operands.get("strategy"), "strategy")
        if driven and is_constant(event.operands.get("operation"), "reduce") and _lacks_axis(event):
            yield Finding("Crash: `reduce()` missing 1 required positional argument: 'axis'", event.location)


def _lacks_axis(event: Event) -> bool:
    return is_absent(event, "axis") and "axis" not in event.operands


def _is_one_value(value: Value | None) -> bool:
    """Whether a value is surely neither a tuple nor a list."""
    if isinstance(value, Const):
        return value.value is not None
    return isinstance(value, Table) or (isinstance(value, Object) and value.kind in ("tensor", "parameter"))
