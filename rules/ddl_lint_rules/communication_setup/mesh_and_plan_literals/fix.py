"""Writes the names of a mesh or of a module as they are."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from ddl_lint.rulekit import (
    Applicability,
    Const,
    Event,
    Fix,
    RunView,
    Unfixable,
    Value,
    argument_of,
    code,
    file_of,
    replace_expression,
    value_of,
)


def fix_names(run: RunView, made: Event, asked: Sequence[str], names: Sequence[Value]) -> Fix:
    """`mesh_dim_names=("dp",)` to `("dp", "tp")`, where the mesh is asked for `tp`."""
    known = [name.value for name in names if isinstance(name, Const)]
    missing = [name for name in asked if name not in known]
    file = file_of(run, made.location)
    call = file.node(made.location, code.Call)
    given, shape = argument_of(run, made.api, call, "names"), argument_of(run, made.api, call, "shape")
    if given is None or shape is None:
        raise Unfixable("the names are not written in the call")
    display, dimensions = value_of(given), value_of(shape)
    if not isinstance(display, code.Display) or not isinstance(dimensions, code.Display) or not display.items:
        raise Unfixable("the names are not written in the call")
    if not missing or len(dimensions.items) != len(display.items) + len(missing):
        raise Unfixable("cannot tell which name a dimension should have")
    last = display.items[-1]
    added = "".join(f", {file.string(name)}" for name in missing)
    edit = file.edit(last.start, last.end, f"{file.source(last)}{added}")
    if file.text[last.end : display.end].strip().startswith(",") and len(display.items) == 1:
        comma = file.text.index(",", last.end)
        edit = file.edit(last.start, comma + 1, f"{file.source(last)}{added}")
    return Fix("Name each dimension of the mesh", (edit,), Applicability.SAFE)


def fix_name(run: RunView, path: str, word: Const | None, known: Sequence[str], part: str = "") -> Fix:
    """A name that does not exist to the one that is near; of a dotted path, the part `part` of it."""
    if word is None or word.location is None or word.location.path != path:
        raise Unfixable("the name is not a literal here")
    wrong = part or str(word.value)
    near = difflib.get_close_matches(wrong, list(known), n=2, cutoff=0.6)
    if len(near) != 1:
        raise Unfixable("cannot tell which name was meant")
    file = file_of(run, word.location)
    right = ".".join(near[0] if each == wrong else each for each in str(word.value).split("."))
    literal = file.node(word.location, code.Literal)
    return Fix(
        f"Use the existing name `{near[0]}`",
        (replace_expression(file, literal, file.string(right)),),
        Applicability.SAFE,
    )


def fix_size(_: RunView) -> Fix:
    """There is none."""
    raise Unfixable("cannot tell whether the mesh or the job has the wrong size")
