"""Divides a number of steps by the number of processes."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, by_world_size


def fix(run: RunView, event: Event, role: str) -> Fix:
    """`steps_per_epoch=steps` to `steps_per_epoch=steps // hvd.size()`."""
    return Fix(
        "Divide the steps by the number of processes",
        by_world_size(run, event, role, "//"),
        Applicability.UNSAFE,
        "dividing the data, or the epochs, may be what is meant",
    )
