"""Makes what a strategy trains in its scope."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Location,
    RunView,
    Unfixable,
    file_of,
    move_into_scope,
    put_into_scope,
)


def fix(run: RunView, place: Location, use: Event, strategy: Event) -> Fix:
    """`model = net()` into the scope in which it is used, or into one of its own."""
    try:
        edits = move_into_scope(run, place, use)
    except Unfixable:
        edits = put_into_scope(run, strategy, file_of(run, place).place(place))
    return Fix("Make it in the scope of the strategy", edits, Applicability.SAFE)
