"""Divides a number of steps by the number of processes."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.runs.sizes import by_world_size
from ddl_lint.program.trace import Event


def fix(run: RunView, event: Event, role: str) -> Fix:
    """`steps_per_epoch=steps` to `steps_per_epoch=steps // hvd.size()`."""
    return Fix(
        "Divide the steps by the number of processes",
        by_world_size(run, event, role, "//"),
        Applicability.UNSAFE,
        "The author may rather want to divide the data, or the epochs.",
    )
