"""Finds batches of data sets that a strategy divides, or does not, against what their sizes mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    RunView,
    Value,
    batched_in,
    is_constant,
    objects,
    result_name,
    shown,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per batch."""
    counted = run.events("count_by_devices")
    for event in run.events("distribute_data"):
        for made in objects(event.operands.get("data"), "iterable_dataset"):
            batched = batched_in(made)
            size = batched.given.get("batch_size") if batched is not None else None
            if batched is None or size is None:
                continue
            whole = next(_multiplied(counted, size), None)
            if whole is not None:
                message = (
                    "Wasted work: batches with the size of one replica, which the strategy divides among all replicas"
                )
                name = shown("the global batch size", result_name, run, whole.location)
                evidence = Evidence("the global batch size", whole.location)
                yield Finding(message, batched.location, (evidence,), help=f"Batch with {name}.")
            divided = next((each for each in counted if each.result == size and _is(each, "//")), None)
            if divided is not None:
                message = (
                    "Wasted work: the batch size is divided by the number of replicas here, and by the strategy again"
                )
                evidence = Evidence("it is divided here", divided.location)
                advice = "Batch with the global batch size, without dividing it."
                yield Finding(message, batched.location, (evidence,), help=advice)


def _is(event: Event, operation: str) -> bool:
    return is_constant(event.operands.get("operation"), operation)


def _multiplied(counted: list[Event], size: Value) -> Iterator[Event]:
    return (each for each in counted if each.operands.get("value") == size and _is(each, "*"))
