"""Adds the option to the parser."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, Unfixable, code, file_of, insert_before


def fix(run: RunView, event: Event) -> Fix:
    """`parser.add_argument("--local_rank", type=int, default=-1)` before the command line is read."""
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    if not isinstance(call.func, code.Attribute) or not isinstance(call.func.value, (code.Name, code.Attribute)):
        raise Unfixable("the parser has no name")
    new = f'{file.source(call.func.value)}.add_argument("--local_rank", type=int, default=-1)'
    edits = insert_before(file.place(event.location), new)
    return Fix("Add the --local_rank option to the parser", edits, Applicability.SAFE)
