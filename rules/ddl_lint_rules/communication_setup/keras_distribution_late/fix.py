"""Sets the distribution before the model is made."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Location,
    RunView,
    Unfixable,
    bring_forward,
    file_of,
    move_before,
    names_bound,
    names_read,
)


def set_first(run: RunView, late: Event, model: Location) -> Fix:
    """The statement that leads to `set_distribution` before the one that makes the model."""
    file = file_of(run, model)
    target = file.place(model)
    if late.location.path != model.path:
        raise Unfixable("the two are in different files")
    moved = file.place(late.location)
    if moved.block is not target.block or moved.index <= target.index:
        raise Unfixable("the two are not in one block")
    passed = moved.block[target.index : moved.index]
    bound, read = names_bound(moved.statement), names_read(moved.statement)
    if read & names_bound(*passed) or bound & (names_read(*passed) | names_bound(*passed)):
        raise Unfixable("it needs what a statement between the two makes")
    return Fix("Set the distribution before the model is made", move_before([moved], target), Applicability.SAFE)


def initialize_first(run: RunView, late: Event, begun: Event) -> Fix:
    """`initialize()` before what asks for devices."""
    return Fix("Initialize before devices are asked for", bring_forward(run, late, begun), Applicability.SAFE)
