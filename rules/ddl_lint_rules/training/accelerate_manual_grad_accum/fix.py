"""Leaves the accumulation to the trainer."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, uncounted, undivided


def fix_division(run: RunView, backward: Event) -> Fix:
    """`accelerator.backward(loss / n)` to `accelerator.backward(loss)`."""
    return Fix("Stop dividing the loss by hand", undivided(run, backward), Applicability.SAFE)


def fix_step(run: RunView, step: Event) -> Fix:
    """`if step % n == 0: optimizer.step()` to `optimizer.step()`, which does nothing until it is time."""
    return Fix(
        "Step for every batch inside the accumulation context", uncounted(run, step, beside=True), Applicability.SAFE
    )
