"""Lets the trainer run the backward pass."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    File,
    Fix,
    Object,
    RunView,
    Unfixable,
    code,
    file_of,
    method_for,
    replace_expression,
)


def fix(run: RunView, backward: Event, trainer: Object) -> Fix:
    """`loss.backward()` to `accelerator.backward(loss)`."""
    file = file_of(run, backward.location)
    call = file.node(backward.location, code.Call)
    method = method_for(run, trainer.api or "", backward.kind)
    if not isinstance(call.func, code.Attribute) or call.args or call.keywords or method is None:
        raise Unfixable("the call is not written in a form that can be rewritten")
    name = _name(file, trainer, backward)
    loss = file.source(call.func.value)
    return Fix(
        "Call the trainer's backward",
        (replace_expression(file, call, f"{name}.{method}({loss})"),),
        Applicability.SAFE,
    )


def _name(file: File, trainer: Object, backward: Event) -> str:
    """The variable of the same function that holds the trainer."""
    place = file.place(trainer.location) if trainer.location.path == backward.location.path else None
    statement = place.statement if place is not None and place.function is backward.function else None
    if (
        isinstance(statement, code.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], code.Name)
    ):
        return statement.targets[0].id
    raise Unfixable("the trainer has no name here")
