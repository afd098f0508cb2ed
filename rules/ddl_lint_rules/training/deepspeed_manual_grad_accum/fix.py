"""Leaves the accumulation to the engine."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.runs.accumulation import uncounted, undivided
from ddl_lint.program.trace import Event


def fix_step(run: RunView, step: Event) -> Fix:
    """`if turn % n == 0: engine.step()` to `engine.step()`."""
    return Fix("Let the engine count the micro-batches", uncounted(run, step), Applicability.SAFE)


def fix_division(run: RunView, backward: Event) -> Fix:
    """`loss / n` to `loss`."""
    return Fix("Let the engine divide the loss", undivided(run, backward), Applicability.SAFE)
