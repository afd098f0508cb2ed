"""Writes a name for each thing that comes back."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Fix, Location, RunView, Unfixable, code, file_of


def fix(run: RunView, location: Location, size: int) -> Fix:
    """`engine = initialize(...)` to `engine, _, _, _ = initialize(...)`, and so for two names or three."""
    file = file_of(run, location)
    statement = file.place(location).statement
    if not isinstance(statement, code.Assign) or len(statement.targets) != 1:
        raise Unfixable("the result is kept for something else")
    (target,) = statement.targets
    names = target.items if isinstance(target, code.Display) else (target,)
    if len(names) >= size or not isinstance(statement.value, code.Call):
        raise Unfixable("which of the names are too many, or for what, the code does not say")
    missing = ", _" * (size - len(names))
    edit = file.edit(names[-1].end, names[-1].end, missing)
    return Fix("Take all that comes back", (edit,), Applicability.SAFE)
