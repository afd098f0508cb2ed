"""Finds ranks that leave before a call that the others make."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Finding,
    RunView,
    divergence_finding,
    found_divergences,
    join,
    local_divergence_finding,
    local_divergences,
    publish,
    with_fix,
)
from ddl_lint_rules.hangs_and_performance.early_exit_before_collective.fix import fix, leave_together

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per early exit."""
    for found in found_divergences(run):
        if found.divergence.kind == "exit":
            yield with_fix(divergence_finding(run, found), fix, run, found)
    for divergence in local_divergences(run):
        if divergence.kind == "leave":
            yield with_fix(local_divergence_finding(run, divergence), leave_together, run, divergence)
