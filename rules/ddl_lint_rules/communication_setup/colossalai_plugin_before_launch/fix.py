"""Lets the processes meet first."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, bring_forward


def fix(run: RunView, made: Event, launch: Event) -> Fix:
    """The launch, with what it needs, before the statement that makes the plugin."""
    edits = bring_forward(run, launch, made)
    return Fix("Launch first", tuple(edits), Applicability.UNSAFE, "what the launch does happens earlier then")
