"""Reads what a call has written into its argument, where the program reads the call itself, which gives nothing."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.scope import dotted
from ddl_lint.fixes.python.statements import insert_before, replace_statement
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.runs.project import file_of, written_argument
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.trace import Event

_TITLE = "Make the call a statement and read its argument afterwards"
_LATE = (code.Conditional, code.Boolean, code.Lambda, code.Comprehension)


def read_afterwards(run: RunView, event: Event) -> Fix:
    """`loss = dist.all_reduce(loss) / n` to `dist.all_reduce(loss)` and `loss = loss / n`."""
    file, call, place = written_call(run, event)
    filled = filled_argument(run, event, call)
    if dotted(filled) is None:
        raise Unfixable("what the call writes into has no name")
    statement, name = place.statement, file.source(filled)
    if isinstance(statement, code.Assign) and statement.value is call:
        targets = [file.source(target) for target in statement.targets]
        if targets == [name]:
            return Fix(_TITLE, replace_statement(place, file.source(call)), Applicability.SAFE)
    if not isinstance(statement, (code.Assign, code.Augment, code.Return, code.Evaluate)):
        raise Unfixable("the call is in the header of another statement")
    if any(isinstance(node, _LATE) for node in walk(statement)):
        raise Unfixable("the call is made under a condition or several times")
    edits = (*insert_before(place, file.source(call)), file.edit(call.start, call.end, name))
    return Fix(_TITLE, edits, Applicability.SAFE)


def written_call(run: RunView, event: Event) -> tuple[File, code.Call, Place]:
    """The call of an event as it is written, and where it is."""
    file = file_of(run, event.location)
    return file, file.node(event.location, code.Call), file.place(event.location)


def filled_argument(run: RunView, event: Event, call: code.Call) -> code.Expression:
    """The argument that the call writes into."""
    model = run.api.function(event.api)
    given = None if model is None or not model.mutates else written_argument(run, event.api, call, model.mutates[0])
    if given is None:
        raise Unfixable("cannot tell what the call writes into")
    return given
