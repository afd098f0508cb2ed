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
    argument_text,
    called_name,
    is_absent,
    is_constant,
    named,
    objects,
    replica_call,
    replica_calls,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    yield from _reductions(run)
    for call in replica_calls(run):
        if _is_one_value(call.operands.get("tensor")):
            name = named("strategy.run", called_name, run, call.location)
            message = f"Crash: `{name}` needs a tuple or list as `args`, but gets a single value"
            given = named("batch", argument_text, run, call, "tensor")
            yield Finding(message, call.location, help=f"Write `args=({given},)`.")
    for event in run.events("fit"):
        call = replica_call(run, event)
        if call is not None:
            name = named("fit", called_name, run, event.location)
            message = f"Crash: `{name}` trains with all replicas itself, so a replica cannot call it"
            evidence = Evidence("each replica runs this function", call.location)
            advice = f"Call `{name}` outside of `strategy.run`."
            yield Finding(message, event.location, (evidence,), help=advice)


def _reductions(run: RunView) -> Iterator[Finding]:
    for event in run.events("collective"):
        driven = objects(event.operands.get("strategy"), "strategy")
        if driven and is_constant(event.operands.get("operation"), "reduce") and _lacks_axis(event):
            name = named("reduce", called_name, run, event.location)
            advice = (
                "Pass `axis=None` to combine the values of the replicas only, or `axis=0` to reduce their batches too."
            )
            yield Finding(f"Crash: `{name}` needs `axis=`", event.location, help=advice)


def _lacks_axis(event: Event) -> bool:
    return is_absent(event, "axis") and "axis" not in event.operands


def _is_one_value(value: Value | None) -> bool:
    """Whether a value is surely neither a tuple nor a list."""
    if isinstance(value, Const):
        return value.value is not None
    return isinstance(value, Table) or (isinstance(value, Object) and value.kind in ("tensor", "parameter"))
