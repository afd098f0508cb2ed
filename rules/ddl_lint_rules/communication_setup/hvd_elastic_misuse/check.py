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
    in_handler,
    is_constant,
)

_UNFIXABLE = "what the state of the job holds, and how often it is saved, is for the author to choose"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per early operation, and per function without a commit."""
    if not run.is_script:
        return
    for event in run.events("restart"):
        inside = list(_inside(run, event))
        if not inside:
            continue
        start = min(each.order for each in inside)
        for early in run.events("collective"):
            if early.order < start and not in_handler(early):
                yield Finding(
                    "a worker that joins later makes this call alone: the others wait for it elsewhere",
                    early.location,
                    (Evidence("the elastic function synchronises the workers as it starts", event.location),),
                    severity=Severity.ERROR,
                    unfixable=_UNFIXABLE,
                )
        if _trains(inside) and not any(_may_commit(each) for each in inside):
            yield Finding(
                "the elastic function never commits its state: after a failure it starts from the beginning",
                event.location,
                unfixable=_UNFIXABLE,
            )


def _inside(run: RunView, restart: Event) -> Iterator[Event]:
    """What happens in calls of the function."""
    value = restart.operands.get("function")
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
