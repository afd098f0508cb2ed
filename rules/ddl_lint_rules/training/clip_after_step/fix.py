"""Moves the call before the step."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, Unfixable, file_of, is_of_scaler, move_before

_REASON = "the steps become smaller, as intended, which changes the course of training"


def fix(run: RunView, change: Event, step: Event) -> Fix:
    """`optimizer.step()`, then `clip_grad_norm_(...)`, in the other order.

    Raises:
        Unfixable: the gradients are still scaled before the step, or the two are not in one block.
    """
    if is_of_scaler(step, run.api) and change.kind == "clip_gradients":
        raise Unfixable("the gradients are still scaled at this step: `unscale_` has to come first")
    if change.location.path != step.location.path:
        raise Unfixable("the step is in another file")
    file = file_of(run, change.location)
    moved, target = file.place(change.location), file.place(step.location)
    name = "Unscale" if change.kind == "unscale_gradients" else "Clip"
    return Fix(
        f"{name} the gradients before the optimizer steps", move_before([moved], target), Applicability.UNSAFE, _REASON
    )
