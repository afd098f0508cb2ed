"""Loads the model in the scope of the strategy."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, Location, RunView, file_of, put_into_scope


def fix(run: RunView, place: Location, strategy: Event) -> Fix:
    """`with strategy.scope():` around the statement that loads."""
    edits = put_into_scope(run, strategy, file_of(run, place).place(place))
    return Fix("Load the model in the scope of the strategy", edits, Applicability.SAFE)
