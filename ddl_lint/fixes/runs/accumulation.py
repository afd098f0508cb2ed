"""Leaves to a library that accumulates gradients what a loop does by hand."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.arguments import replace_expression, value_of
from ddl_lint.fixes.python.statements import Edits, remove, unwrap
from ddl_lint.fixes.runs.project import argument_of, file_of
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.event_types import ClipGradients, OptimizerStep, SchedulerStep, ZeroGradients
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Apply, Object
from ddl_lint.source.span import Span

_ONCE_PER_STEP = (OptimizerStep, SchedulerStep, ZeroGradients, ClipGradients)


def uncounted(run: RunView, step: Event, *, beside: bool = False) -> Edits:
    """`if turn % n == 0: engine.step()` to `engine.step()`.

    With `beside`, other statements may be there that belong to steps as well, such as that of a schedule.

    Raises:
        Unfixable: other work is done in the same iterations.
    """
    file = file_of(run, step.location)
    place = file.place(step.location)
    guard = place.owners[-1] if place.owners else None
    alone = len(place.block) == 1
    if not alone and beside:
        starts = {e.location.start for e in run.events(*_ONCE_PER_STEP) if e.location.path == step.location.path}
        alone = all(isinstance(each, code.Evaluate) and each.value.start in starts for each in place.block)
    if not isinstance(guard, code.If) or guard.body is not place.block or not alone:
        raise Unfixable("other work is done in the same iterations")
    return unwrap(file.place(Span(guard.start, guard.end)))


def undivided(run: RunView, backward: Event) -> Edits:
    """`loss / n` to `loss`.

    Raises:
        Unfixable: the loss is divided in another place.
    """
    file = file_of(run, backward.location)
    call = file.node(backward.location, code.Call)
    given = argument_of(run, backward.api, call, "loss")
    loss = backward.operands.get("loss")
    written = value_of(given) if given is not None else None
    if not isinstance(written, code.Binary):
        if not isinstance(loss, (Object, Apply)) or loss.location is None:
            raise Unfixable("the loss is divided elsewhere")
        if loss.location.path != backward.location.path:
            raise Unfixable("the loss is divided elsewhere")
        place = file.place(loss.location)
        if isinstance(place.statement, code.Augment):
            return remove(place)
        written = file.node(loss.location, code.Binary)
        statement = place.statement
        # `loss = loss / n` says nothing any more.
        if (
            isinstance(statement, code.Assign)
            and statement.value is written
            and [file.source(target) for target in statement.targets] == [file.source(written.left)]
        ):
            return remove(place)
    return (replace_expression(file, written, file.source(written.left)),)
