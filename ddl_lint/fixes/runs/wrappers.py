"""Takes a model out of a wrapper that it should not have."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.arguments import replace_expression, value_of
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.python.statements import Edits, remove
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.runs.names import name_at
from ddl_lint.fixes.runs.project import argument_of, attribute_for, file_of, render_idiom
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.event_types import Delegate
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Object
from ddl_lint.source.span import Location, Span


def without_wrapper(run: RunView, wrap: Event) -> Edits:
    """`net = Wrapper(Net())` to `net = Net()`; `net = Wrapper(net)` goes away, with an `if` around it.

    Raises:
        Unfixable: the program reaches through the wrapper, or the call has a form that cannot be taken over.
    """
    file = file_of(run, wrap.location)
    call = file.node(wrap.location, code.Call)
    given = argument_of(run, wrap.api, call, "model")
    if given is None:
        raise Unfixable("the model is not written in the call")
    inside = attribute_for(run, wrap.api, "model")
    for module in run.modules.values():
        if any(isinstance(node, code.Attribute) and node.attr == inside for node in walk(*module.body)):
            raise Unfixable(f"the program reaches through the wrapper elsewhere, by `.{inside}`")
    place, text = file.place(wrap.location), file.source(value_of(given))
    imports = _import_of(file, call)
    statement = place.statement
    is_itself = (
        isinstance(statement, code.Assign)
        and statement.value is call
        and [file.source(target) for target in statement.targets] == [text]
    )
    if not is_itself:
        return (*imports, replace_expression(file, call, text))
    guard = place.owners[-1] if place.owners else None
    if isinstance(guard, code.If) and len(guard.body) == 1 and guard.body is place.block and not guard.orelse:
        outer = file.place(Span(guard.start, guard.end))
        place = place if outer.is_elif else outer
    return (*imports, *remove(place))


def by_trainer(run: RunView, trainer: Object, location: Location, model: code.Expression) -> Edits:
    """The model at a place as its trainer takes it out of the wrapper, if there is one: `net` to
    `accelerator.unwrap_model(net)`.

    Raises:
        Unfixable: the trainer has no name there, or its framework has no words for it.
    """
    made = next((each for each in run.events(Delegate) if each.result is trainer), None)
    if made is None:
        raise Unfixable("the trainer that has wrapped the model has no name here")
    file = file_of(run, location)
    place = file.place(location)
    said = render_idiom(run, place, made.api, "unwrapped", trainer=name_at(run, made, place), model=file.source(model))
    return (*said.imports, replace_expression(file, model, said.text))


def _import_of(file: File, call: code.Call) -> Edits:
    """The import of the wrapper away, where it has a statement of its own that nothing else needs."""
    name = call.func.id if isinstance(call.func, code.Name) else None
    reads = sum(isinstance(node, code.Name) and node.id == name for node in walk(*file.module.body))
    for statement in file.module.body:
        if isinstance(statement, code.ImportFrom) and len(statement.names) == 1 and reads == 1:
            ((imported, alias),) = statement.names
            place = file.place(Span(statement.start, statement.end))
            if (alias or imported) == name and place.has_own_lines:
                return remove(place)
    return ()
