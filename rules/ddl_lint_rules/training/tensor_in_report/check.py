"""Finds tensors on a GPU among the metrics that a worker reports to the process that started it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NUMBER,
    OUTPUT,
    TRUE,
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Table,
    TagKind,
    Value,
    contents,
    in_handler,
    is_constant,
    tags_of,
)
from ddl_lint.rulekit.events import Collective, Delegate


def check(run: RunView) -> Iterable[Finding]:
    """One finding per report."""
    trainer = next((event for event in run.events(Delegate) if _uses_gpus(event)), None)
    if trainer is None:
        return
    seen: set[object] = set()
    for event in run.events(Collective):
        metrics = event.tensor
        # A call at which all meet, and that takes numbers by name, is a report.
        if not is_constant(event.operation, "barrier") or not isinstance(metrics, Table):
            continue
        name = next(_tensors(metrics), None)
        if name is not None and event.location not in seen and not in_handler(event):
            seen.add(event.location)
            yield Finding(
                f"`{name}` is a tensor on the GPU of the worker, which the process that gets the report does not have",
                event.location,
                (Evidence("the workers train on GPUs", trainer.location),),
            )


def _uses_gpus(event: Event) -> bool:
    """Whether what starts the workers gives each of them a GPU."""
    return event.result is not None and any(
        isinstance(part, Object) and part.given.get("use_gpu") == TRUE for part in contents(event.result)
    )


def _tensors(metrics: Table) -> Iterator[str]:
    for key, value in metrics.items:
        if isinstance(key, Const) and _is_output(value):
            yield str(key.value)


def _is_output(value: Value) -> bool:
    """Whether a value is computed from the outputs of a model, and was neither made a number nor taken elsewhere."""
    tags = tags_of(value)
    if NUMBER in tags:
        return False
    return any(tag.kind is TagKind.FORWARD for tag in tags) or (OUTPUT in tags and _stays(value))


def _stays(value: Value) -> bool:
    """Whether a value is a tensor that is where those are from which it was computed."""
    return isinstance(value, Object) and value.kind == "tensor" and not any(map(_is_moved, contents(value)))


def _is_moved(value: Value) -> bool:
    return isinstance(value, Object) and "moved" in value.given
