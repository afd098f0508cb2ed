"""Numbers of a run of one process, put into relation to the number of processes."""

from __future__ import annotations

from typing import Literal

from ddl_lint.analysis.queries.spelling import spelling_of
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Edit
from ddl_lint.fixes.python.arguments import value_of, with_brackets
from ddl_lint.fixes.runs.assumptions import has_group, speaker
from ddl_lint.fixes.runs.project import argument_of, file_of, render_idiom
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.program.values import WorldSize

_PRODUCTS = ("*", "/", "//")
_WHOLE = (code.Name, code.Attribute, code.Call, code.Literal, code.Subscript)


def by_world_size(
    run: RunView, event: Event, role: str, sign: Literal["*", "//"], api: str | None = None
) -> tuple[Edit, ...]:
    """`steps` to `steps // hvd.size()`, or `rate` to `rate * hvd.size()`, in what a call is given; `api` is a name of
    the framework that knows the number, where the call is one of another.

    Raises:
        Unfixable: the number is not written in the call.
    """
    if not has_group(run, event):
        raise Unfixable("the number of processes is not known here in every run of the program")
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    given = argument_of(run, event.api, call, role)
    if given is None:
        raise Unfixable("the number is not written in the call")
    number, place = value_of(given), file.place(event.location)
    said = render_idiom(run, place, speaker(run, api or event.api), "world_size")
    size = spelling_of(run, WorldSize("global"), event)
    start, end = with_brackets(file, number)
    has_brackets = start < number.start
    is_whole = isinstance(number, _WHOLE) or (isinstance(number, code.Binary) and number.operator in _PRODUCTS)
    text = file.text[start:end] if has_brackets or is_whole else f"({file.text[start:end]})"
    edit = file.edit(start, end, f"{text} {sign} {size or said.text}")
    return (edit,) if size else (*said.imports, edit)
