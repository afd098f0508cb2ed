"""Questions about optimizers that average gradients over the ranks, where it is the optimizer that does so."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.facts import objects
from ddl_lint.analysis.view import RunView
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Object, Value


def averaging(value: Value | None) -> list[Object]:
    """The optimizers that a value may be and that average gradients."""
    return [made for made in objects(value, "optimizer") if made.traits.get("synchronizes_gradients")]


def wrappings(run: RunView) -> Iterator[Event]:
    """Where an optimizer is wrapped into one that averages gradients."""
    return (event for event in run.events("prepare") if averaging(event.result))


def wrapped_by(event: Event) -> list[Object]:
    """The optimizers that a wrapping takes."""
    return objects(event.operands.get("object"), "optimizer")


def is_averaged(run: RunView) -> bool:
    """Whether the ranks surely train together by an optimizer that averages gradients."""
    return any(averaging(event.operands.get("optimizer")) for event in run.events("optimizer_step"))
