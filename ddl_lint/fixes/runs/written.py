"""How the user's code writes what a finding is about: the names for its message and its help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.arguments import value_of
from ddl_lint.fixes.python.scope import dotted
from ddl_lint.fixes.runs.names import model_named
from ddl_lint.fixes.runs.project import argument_of, file_of, render_idiom
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.source.span import Location

_P = ParamSpec("_P")

_LONGEST = 40
"""More than this of somebody's code does not fit into a message of one line."""


def named(
    default: str, find: Callable[Concatenate[RunView, _P], str], run: RunView, *args: _P.args, **kwargs: _P.kwargs
) -> str:
    """The text that `find` (such as `receiver`) reads in the code, or `default` where the code has no short one."""
    return _found(find, run, *args, **kwargs) or default


def shown(
    default: str, find: Callable[Concatenate[RunView, _P], str], run: RunView, *args: _P.args, **kwargs: _P.kwargs
) -> str:
    """As `named`, in the back quotes of code; `default` is general words, such as `the optimizer`, without them."""
    found = _found(find, run, *args, **kwargs)
    return default if found is None else f"`{found}`"


def _found(
    find: Callable[Concatenate[RunView, _P], str], run: RunView, *args: _P.args, **kwargs: _P.kwargs
) -> str | None:
    try:
        text = find(run, *args, **kwargs)
    except Unfixable:
        return None
    return text if 0 < len(text) <= _LONGEST and text.isprintable() and "`" not in text else None


def called_name(run: RunView, location: Location) -> str:
    """What a call calls: `dist.all_reduce` of `dist.all_reduce(loss)`.

    Raises:
        Unfixable: it is no name.
    """
    name = dotted(file_of(run, location).node(location, code.Call).func)
    if name is None:
        raise Unfixable("what is called has no name")
    return name


def result_name(run: RunView, location: Location) -> str:
    """The name that the statement around an expression assigns it to: `net` of `net = DDP(Net())`, at `DDP(Net())`.

    Raises:
        Unfixable: it assigns it to none, or to several.
    """
    file = file_of(run, location)
    statement = file.place(location).statement
    if isinstance(statement, code.Assign) and len(statement.targets) == 1 and statement.value is not None:
        name = dotted(statement.targets[0])
        if name is not None and (statement.value.start, statement.value.end) == (location.start, location.end):
            return name
    raise Unfixable("what is made there has no name")


def argument_text(run: RunView, event: Event, role: str) -> str:
    """What a call gives for a role of its event, as it is written.

    Raises:
        Unfixable: the call gives nothing for it, or not in a form that can be read.
    """
    file = file_of(run, event.location)
    given = argument_of(run, event.api, file.node(event.location, code.Call), role)
    if given is None:
        raise Unfixable("the call does not give it")
    return file.source(value_of(given))


def model_name(run: RunView, event: Event, role: str = "parameters") -> str:
    """The name of the model whose parameters a call is given: `net` of `net.parameters()`.

    Raises:
        Unfixable: there is none, or the parameters are those of several models.
    """
    return model_named(run, event.operands.get(role), file_of(run, event.location).place(event.location))


def source_text(run: RunView, location: Location) -> str:
    """The code of a place.

    Raises:
        Unfixable: the file is not at hand.
    """
    file = file_of(run, location)
    return file.text[location.start : location.end]


def idiom_at(default: str, run: RunView, location: Location, api: str, idiom: str, **holes: str) -> str:
    """How code at a place says a thing in the framework of `api` (see `say`), or `default` where that is unknown."""
    try:
        text = render_idiom(run, file_of(run, location).place(location), api, idiom, **holes).text
    except Unfixable:
        return default
    return text if text.isprintable() and "`" not in text else default
