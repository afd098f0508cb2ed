"""Makes the strategy before TensorFlow works."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, bring_forward


def fix(run: RunView, made: Event, begun: Event) -> Fix:
    """The strategy before what starts the runtime."""
    return Fix("Make the strategy first", bring_forward(run, made, begun), Applicability.SAFE)
