"""Lets the trainer run the backward pass."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.arguments import replace
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.runs.project import file_of, method_for
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Object


def fix(run: RunView, backward: Event, trainer: Object) -> Fix:
    """`loss.backward()` to `accelerator.backward(loss)`."""
    file = file_of(run, backward.location)
    call = file.node(backward.location, code.Call)
    method = method_for(run, trainer.api or "", backward.kind)
    if not isinstance(call.func, code.Attribute) or call.args or call.keywords or method is None:
        raise Unfixable("the call has a form that cannot be taken over")
    name = _name(file, trainer, backward)
    loss = file.source(call.func.value)
    return Fix(
        "Let the trainer run the backward pass", (replace(file, call, f"{name}.{method}({loss})"),), Applicability.SAFE
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
