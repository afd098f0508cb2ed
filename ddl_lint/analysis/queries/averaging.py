"""Questions about optimizers that average gradients over the ranks, where it is the optimizer that does so."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.view import RunView
from ddl_lint.program.event_types import Collective, Communicate, Prepare, Unfollowed, WrapModel
from ddl_lint.program.values import Apply, Const, Object, Value


def averaging(value: Value | None) -> list[Object]:
    """The optimizers that a value may be and that average gradients."""
    return [made for made in objects(value, "optimizer") if made.traits.get("synchronizes_gradients")]


def wrappings(run: RunView) -> Iterator[Prepare]:
    """Where an optimizer is wrapped into one that averages gradients."""
    return (event for event in run.events(Prepare) if averaging(event.result))


def wrapped_by(event: Prepare) -> list[Object]:
    """The optimizers that a wrapping takes."""
    return objects(event.object, "optimizer")


def has_own_group(run: RunView) -> bool:
    """Whether the ranks form a group of a framework that wraps optimizers, or tapes, instead of models."""
    return any(run.api.group_of(group.api) for group in run.groups())


def is_unseen(run: RunView) -> bool:
    """Whether something that cannot be seen may take part in the training."""
    return run.exhausted or run.has(Unfollowed, Communicate, WrapModel)


def may_average(run: RunView) -> bool:
    """Whether the program may average gradients or weights by hand: it reduces more than numbers."""
    return any(
        event.constants.get("operation") == "all_reduce" and not _is_number(event.tensor)
        for event in run.events(Collective)
    )


def _is_number(tensor: Value | None) -> bool:
    """Whether a value is a number, or a new tensor that holds some: no gradient and no weights."""
    if isinstance(tensor, Object):
        owned = "gradient" in tensor.given or objects(tensor.given.get("of"), "model")
        return tensor.kind == "tensor" and not owned
    return isinstance(tensor, (Const, Apply))
