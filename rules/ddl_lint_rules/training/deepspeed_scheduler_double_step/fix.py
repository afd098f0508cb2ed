"""Leaves the schedule to the engine."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.statements import remove
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.program import code
from ddl_lint.program.trace import Event


def fix(run: RunView, step: Event) -> Fix:
    """`scheduler.step()` away."""
    file = file_of(run, step.location)
    place = file.place(step.location)
    if not isinstance(place.statement, code.Evaluate) or place.statement.value is not file.node(
        step.location, code.Call
    ):
        raise Unfixable("the call is part of something else")
    return Fix("Leave the schedule to the engine", remove(place), Applicability.SAFE)
