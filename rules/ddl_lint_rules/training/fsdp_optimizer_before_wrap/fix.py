"""Builds the optimizer after the wrapper."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, objects_in, put_off


def fix(run: RunView, built: Event, wrap: Event) -> Fix:
    """The statement that builds the optimizer after the one that wraps the model, with those that take the parameters
    before and those that need the optimizer between the two."""
    taken = [part.location for part in objects_in(built.operands["parameters"]) if part.kind == "parameter"]
    edits = put_off(run, built, wrap, taken)
    return Fix("Build the optimizer after the model is wrapped", edits, Applicability.SAFE)
