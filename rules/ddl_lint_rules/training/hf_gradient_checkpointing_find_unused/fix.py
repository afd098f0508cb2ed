"""Recomputes without entering autograd a second time."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    add_argument,
    code,
    file_of,
    keyword,
    parameter_of,
    render_idiom,
    replace_argument,
    set_keyword,
)


def fix(run: RunView, recomputing: Event) -> Fix:
    """`checkpoint(block, x, use_reentrant=False)`, or the same in the settings of a trainer."""
    file = file_of(run, recomputing.location)
    call, place = file.node(recomputing.location, code.Call), file.place(recomputing.location)
    name = parameter_of(run, recomputing.api, "reentrant")
    if name is not None:
        edits = (set_keyword(file, call, name, "False"),)
    else:
        said = render_idiom(run, place, recomputing.api, "without_reentrance")
        given = keyword(call, said.text.partition("=")[0])
        if given is None:
            edits = (*said.imports, add_argument(file, call, said.text))
        elif isinstance(given.value, code.Dictionary) and len(given.value.items) == 1:
            edits = (*said.imports, replace_argument(file, given, said.text))
        else:
            raise Unfixable("the checkpointing arguments are built elsewhere")
    return Fix("Pass use_reentrant=False", edits, Applicability.SAFE)
