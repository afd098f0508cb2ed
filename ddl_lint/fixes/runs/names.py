"""The names by which a place of the program can call what is made at another place."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.file import Place
from ddl_lint.fixes.python.liveness import scope_of
from ddl_lint.fixes.python.scope import dotted, names_bound
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Value


def receiver(run: RunView, event: Event) -> str:
    """The text of the object whose method an event calls: `self.optimizer` of `self.optimizer.step()`.

    Raises:
        Unfixable: it is no name.
    """
    call = file_of(run, event.location).node(event.location, code.Call)
    name = dotted(call.func.value) if isinstance(call.func, code.Attribute) else None
    if name is None:
        raise Unfixable("the object of the method has no name")
    return name


def name_given(run: RunView, made: Event) -> str:
    """The name that the statement around a call, or another expression, gives to its value.

    Raises:
        Unfixable: it gives none, or several.
    """
    file = file_of(run, made.location)
    statement = file.place(made.location).statement
    name = dotted(statement.targets[0]) if isinstance(statement, code.Assign) and len(statement.targets) == 1 else None
    value = statement.value if isinstance(statement, code.Assign) else None
    if name is None or value is None or (value.start, value.end) != made.location[-2:]:
        raise Unfixable("the object that is created there has no name")
    return name


def name_at(run: RunView, made: Event, place: Place) -> str:
    """The name by which a place can call what a call has returned before.

    Raises:
        Unfixable: there is none, or it may mean something else at the place.
    """
    name = name_given(run, made)
    origin = file_of(run, made.location).place(made.location)
    same_function = origin.file.document.path == place.file.document.path and origin.function is place.function
    if same_function:
        later = [node for node in _bindings(scope_of(place), name) if origin.end <= node.start < place.start]
        if origin.start < place.start and not later:
            return name
    elif "." in name and origin.file.document.path == place.file.document.path:
        owner = _class_of(origin)
        if owner is not None and owner is _class_of(place) and len(_bindings(owner.body, name)) == 1:
            return name
    elif _is_of_module(origin, name) and origin.file.document.path == place.file.document.path:
        own = (each for each in place.owners if isinstance(each, code.Function))
        if all(name not in {*names_bound(*each.body), *(given.name for given in each.parameters)} for each in own):
            return name
    raise Unfixable(f"`{name}` is not known here")


def _is_of_module(origin: Place, name: str) -> bool:
    """Whether a name is that of a module, and means one thing only."""
    at_top = not any(isinstance(owner, (code.Function, code.Class)) for owner in origin.owners)
    return at_top and "." not in name and len(_bindings(origin.file.module.body, name)) == 1


def _class_of(place: Place) -> code.Class | None:
    return next((node for node in reversed(place.owners) if isinstance(node, code.Class)), None)


def _bindings(body: Sequence[code.Statement], name: str) -> list[code.Statement]:
    """The simple statements of a scope that bind a name."""
    return [
        node
        for node in walk(*body)
        if isinstance(node, (code.Assign, code.Augment, code.For, code.With)) and name in _own_bound(node)
    ]


def _own_bound(node: code.Assign | code.Augment | code.For | code.With) -> set[str]:
    """What a statement binds itself, not in its block."""
    if isinstance(node, (code.For, code.With)):
        return names_bound(node) - names_bound(*node.body)
    return names_bound(node)


def model_named(run: RunView, parameters: Value | None, place: Place) -> str:
    """The name by which a place can call the model whose parameters a value is: `net` of `net.parameters()`.

    Raises:
        Unfixable: there is none, or the parameters are those of several models.
    """
    found: set[str] = set()
    for part in parts(parameters) if parameters is not None else ():
        for made in objects(part, "parameter"):
            file = file_of(run, made.location)
            call = file.node(made.location, code.Call)
            name = dotted(call.func.value) if isinstance(call.func, code.Attribute) else None
            same = file.document.path == place.file.document.path
            if name is None or not same or file.place(made.location).function is not place.function:
                raise Unfixable("the model has no name here")
            found.add(name)
    if len(found) != 1:
        raise Unfixable("the model has no name here")
    return found.pop()
