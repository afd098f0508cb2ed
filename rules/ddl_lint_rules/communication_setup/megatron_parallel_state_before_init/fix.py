"""Makes the groups before somebody asks for them."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, bring_forward


def fix(run: RunView, early: Event, made: Event) -> Fix:
    """The call that makes the groups, with what it needs, before the first question."""
    edits = bring_forward(run, made, early)
    return Fix("Make the groups first", tuple(edits), Applicability.UNSAFE, "the groups are made earlier then")
