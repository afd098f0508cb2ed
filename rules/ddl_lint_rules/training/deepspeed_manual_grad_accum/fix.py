"""Leaves the accumulation to the engine."""

from __future__ import annotations

from ddl_lint.analysis.view import ProjectView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.offer import Unfixable
from ddl_lint.fixes.python.arguments import replace, value_of
from ddl_lint.fixes.python.statements import remove, unwrap
from ddl_lint.fixes.runs.project import argument_of, file_of
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Object
from ddl_lint.source.span import Span


def fix_step(project: ProjectView, step: Event) -> Fix:
    """`if turn % n == 0: engine.step()` to `engine.step()`."""
    file = file_of(project, step.location)
    place = file.place(step.location)
    guard = place.owners[-1] if place.owners else None
    if not isinstance(guard, code.If) or guard.body is not place.block or len(place.block) != 1:
        raise Unfixable("other things are done in the same turns")
    edits = unwrap(file.place(Span(guard.start, guard.end)))
    return Fix("Let the engine count the micro-batches", edits, Applicability.SAFE)


def fix_division(project: ProjectView, backward: Event) -> Fix:
    """`loss / n` to `loss`."""
    file = file_of(project, backward.location)
    call = file.node(backward.location, code.Call)
    given = argument_of(project, backward.api, call, "loss")
    loss = backward.operands.get("loss")
    written = value_of(given) if given is not None else None
    if not isinstance(written, code.Binary):
        if not isinstance(loss, Object) or loss.location.path != backward.location.path:
            raise Unfixable("the loss is divided elsewhere")
        place = file.place(loss.location)
        if isinstance(place.statement, code.Augment):
            return Fix("Let the engine divide the loss", remove(place), Applicability.SAFE)
        written = file.node(loss.location, code.Binary)
        statement = place.statement
        # `loss = loss / n` says nothing any more.
        if (
            isinstance(statement, code.Assign)
            and statement.value is written
            and [file.source(target) for target in statement.targets] == [file.source(written.left)]
        ):
            return Fix("Let the engine divide the loss", remove(place), Applicability.SAFE)
    edit = replace(file, written, file.source(written.left))
    return Fix("Let the engine divide the loss", (edit,), Applicability.SAFE)
