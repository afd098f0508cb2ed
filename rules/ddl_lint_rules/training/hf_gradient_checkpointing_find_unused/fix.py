"""Recomputes without entering autograd a second time."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.arguments import add_argument, keyword, replace_argument, set_keyword
from ddl_lint.fixes.runs.project import file_of, parameter_of, say
from ddl_lint.program import code
from ddl_lint.program.trace import Event


def fix(run: RunView, recomputing: Event) -> Fix:
    """`checkpoint(block, x, use_reentrant=False)`, or the same in the settings of a trainer."""
    file = file_of(run, recomputing.location)
    call, place = file.node(recomputing.location, code.Call), file.place(recomputing.location)
    name = parameter_of(run, recomputing.api, "reentrant")
    if name is not None:
        edits = (set_keyword(file, call, name, "False"),)
    else:
        said = say(run, place, recomputing.api, "without_reentrance")
        given = keyword(call, said.text.partition("=")[0])
        if given is None:
            edits = (*said.imports, add_argument(file, call, said.text))
        elif isinstance(given.value, code.Dictionary) and len(given.value.items) == 1:
            edits = (*said.imports, replace_argument(file, given, said.text))
        else:
            raise Unfixable("the settings of the recomputation are put together elsewhere")
    return Fix("Recompute without reentrance", edits, Applicability.SAFE)
