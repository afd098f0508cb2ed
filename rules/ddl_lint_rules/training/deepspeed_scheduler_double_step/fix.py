"""Leaves the schedule to the engine."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, Unfixable, code, file_of, remove


def fix(run: RunView, step: Event) -> Fix:
    """`scheduler.step()` away."""
    file = file_of(run, step.location)
    place = file.place(step.location)
    if not isinstance(place.statement, code.Evaluate) or place.statement.value is not file.node(
        step.location, code.Call
    ):
        raise Unfixable("the call is part of a larger expression")
    return Fix("Delete the extra scheduler step", remove(place), Applicability.SAFE)
