"""Finds communication before the function that an elastic job restarts, and functions that never save the state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    FunctionRef,
    RunView,
    Severity,
    alternatives,
    callee,
    in_handler,
    is_constant,
)
from ddl_lint.rulekit.events import Collective, Restart

_UNFIXABLE = "only you know what the state holds and how often to save it"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per early operation, and per function without a commit."""
    if not run.is_script:
        return
    for event in run.events(Restart):
        inside = list(_inside(run, event))
        if not inside:
            continue
        start = min(each.order for each in inside)
        for early in run.events(Collective):
            if early.order < start and not in_handler(early):
                called = callee(run, early)
                yield Finding(
                    f"a worker that joins later calls `{called}` alone, before the elastic function",
                    early.location,
                    (Evidence("the elastic function synchronizes the workers here", event.location),),
                    severity=Severity.ERROR,
                    unfixable=_UNFIXABLE,
                    help="Keep the value in the elastic state, or move the call into the elastic function.",
                )
        if _trains(inside) and not any(_may_commit(each) for each in inside):
            yield Finding(
                "the elastic function never calls `commit()`; after a failure, training starts all over",
                event.location,
                unfixable=_UNFIXABLE,
                help="Call `state.commit()` every few batches.",
                consequence="data-loss",
            )


def _inside(run: RunView, restart: Restart) -> Iterator[Event]:
    """What happens in calls of the function."""
    value = restart.given_function
    functions = [
        option.function
        for option in (alternatives(value) if value is not None else ())
        if isinstance(option, FunctionRef)
    ]
    for event in run.all_events:
        if any(node.kind == "call" and node.function in functions for node in event.context.chain()):
            yield event


def _trains(inside: list[Event]) -> bool:
    return any(event.kind == "optimizer_step" for event in inside)


def _may_commit(event: Event) -> bool:
    """Whether a call saves the state, or may do so where it cannot be seen."""
    return event.kind in ("fit", "escape", "unfollowed", "communicate") or (
        event.kind == "collective" and is_constant(event.operands.get("operation"), "commit")
    )
