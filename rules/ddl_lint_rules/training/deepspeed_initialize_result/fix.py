"""Writes a name for each thing that comes back."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Fix, Location, RunView, Unfixable, code, file_of


def fix(run: RunView, location: Location, size: int) -> Fix:
    """`engine = initialize(...)` to `engine, _, _, _ = initialize(...)`, and so for two names or three."""
    file = file_of(run, location)
    statement = file.place(location).statement
    if not isinstance(statement, code.Assign) or len(statement.targets) != 1:
        raise Unfixable("the result is kept for another use")
    (target,) = statement.targets
    names = target.items if isinstance(target, code.Display) else (target,)
    if len(names) >= size or not isinstance(statement.value, code.Call):
        raise Unfixable("cannot tell which names are too many")
    missing = ", _" * (size - len(names))
    edit = file.edit(names[-1].end, names[-1].end, missing)
    return Fix("Unpack all that the call returns", (edit,), Applicability.SAFE)
