"""Clears gradients where no rank is averaging them."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    bring_forward,
    code,
    file_of,
    meeting,
    put_off,
    remove_arguments,
    way,
)
from ddl_lint.rulekit.events import OptimizerStep


def without_arguments(run: RunView, clear: Event) -> Fix:
    """`optimizer.zero_grad(set_to_none=True)` to `optimizer.zero_grad()`."""
    file = file_of(run, clear.location)
    call = file.node(clear.location, code.Call)
    edits = remove_arguments(file, call, [*call.args, *call.keywords], ())
    return Fix("Call zero_grad() without arguments", edits, Applicability.SAFE)


def clear_elsewhere(run: RunView, backward: Event, clear: Event) -> Fix:
    """The clearing before the backward, or after the step."""
    if _in_one_block(run, backward, clear):
        edits = bring_forward(run, clear, backward)
        return Fix("Clear the gradients before the backward", edits, Applicability.SAFE)
    later = [step for step in run.events(OptimizerStep) if step.order > clear.order]
    if later and _in_one_block(run, clear, later[0]):
        edits = put_off(run, clear, later[0])
        return Fix("Clear the gradients after the step", edits, Applicability.SAFE)
    raise Unfixable("cannot tell whether the gradients should be discarded on all ranks")


def _in_one_block(run: RunView, early: Event, late: Event) -> bool:
    """Whether the statements that lead to two events are in one block of the function that they share."""
    shared = meeting(way(run, early), way(run, late))
    return shared is not None and shared[0].place.block is shared[1].place.block
