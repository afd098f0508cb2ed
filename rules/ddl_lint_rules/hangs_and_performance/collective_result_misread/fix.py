"""Makes the call a statement of its own, and reads its argument afterwards."""

from __future__ import annotations

from ddl_lint.analysis.view import ProjectView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.offer import Unfixable
from ddl_lint.fixes.python.arguments import set_keyword
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.scope import dotted
from ddl_lint.fixes.python.statements import insert_before, replace_statement
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.runs.epochs import names_around
from ddl_lint.fixes.runs.project import file_of, parameter_of, written_argument
from ddl_lint.program import code
from ddl_lint.program.trace import Event

_TITLE = "Call it for itself, and read its argument afterwards"
_LATE = (code.Conditional, code.Boolean, code.Lambda, code.Comprehension)


def split(project: ProjectView, event: Event) -> Fix:
    """`loss = dist.all_reduce(loss) / n` to `dist.all_reduce(loss)` and `loss = loss / n`."""
    file, call, place = _written(project, event)
    filled = _filled(project, event, call)
    if dotted(filled) is None:
        raise Unfixable("what the call writes into has no name")
    statement, name = place.statement, file.source(filled)
    if isinstance(statement, code.Assign) and statement.value is call:
        targets = [file.source(target) for target in statement.targets]
        if targets == [name]:
            return Fix(_TITLE, replace_statement(place, file.source(call)), Applicability.SAFE)
    if not isinstance(statement, (code.Assign, code.Augment, code.Return, code.Evaluate)):
        raise Unfixable("the call stands in the head of another statement")
    if any(isinstance(node, _LATE) for node in walk(statement)):
        raise Unfixable("the call is made under a condition or several times")
    edits = (*insert_before(place, file.source(call)), file.edit(call.start, call.end, name))
    return Fix(_TITLE, edits, Applicability.SAFE)


def wait_later(project: ProjectView, event: Event) -> Fix:
    """`dist.all_reduce(x).wait()` to `dist.all_reduce(x, async_op=True).wait()`."""
    file, call, _ = _written(project, event)
    name = parameter_of(project, event.api, "asynchronous")
    if name is None:
        raise Unfixable("the call cannot be told to give a handle")
    return Fix("Let it give the handle", (set_keyword(file, call, name, "True"),), Applicability.SAFE)


def keep_argument(project: ProjectView, event: Event) -> Fix:
    """`broadcast_object_list([config])` to a list with a name, out of which `config` is read again."""
    file, call, place = _written(project, event)
    listed = _filled(project, event, call)
    statement = place.statement
    if not isinstance(listed, code.Display) or not listed.items:
        raise Unfixable("where the result is to be read is not known")
    read = [file.source(item) for item in listed.items if dotted(item) is not None]
    if isinstance(statement, code.Assign) and statement.value is call:
        read = [file.source(target) for target in statement.targets]
    elif not isinstance(statement, code.Evaluate) or statement.value is not call:
        raise Unfixable("the call stands within another statement")
    if len(read) != len(listed.items):
        raise Unfixable("where the result is to be read is not known")
    taken = names_around(place)
    name = next(name for name in ("shared", "box", "received_objects", "shared_objects_") if name not in taken)
    made = file.text[call.start : listed.start] + name + file.text[listed.end : call.end]
    back = f"{read[0]} = {name}[0]" if len(read) == 1 else f"{', '.join(read)} = {name}"
    lines = f"{name} = {file.source(listed)}\n{made}\n{back}"
    return Fix("Give the list a name, and read from it", replace_statement(place, lines), Applicability.SAFE)


def _written(project: ProjectView, event: Event) -> tuple[File, code.Call, Place]:
    file = file_of(project, event.location)
    return file, file.node(event.location, code.Call), file.place(event.location)


def _filled(project: ProjectView, event: Event, call: code.Call) -> code.Expression:
    """The argument that the call writes into."""
    model = project.api.function(event.api)
    given = None if model is None or not model.mutates else written_argument(project, event.api, call, model.mutates[0])
    if given is None:
        raise Unfixable("what the call writes into cannot be seen")
    return given
