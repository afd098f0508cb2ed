"""Leaves the accumulation to the engine."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, uncounted, undivided


def fix_step(run: RunView, step: Event) -> Fix:
    """`if step % n == 0: engine.step()` to `engine.step()`."""
    return Fix("Step the engine for every micro-batch", uncounted(run, step), Applicability.SAFE)


def fix_division(run: RunView, backward: Event) -> Fix:
    """`loss / n` to `loss`."""
    return Fix("Pass the undivided loss", undivided(run, backward), Applicability.SAFE)
