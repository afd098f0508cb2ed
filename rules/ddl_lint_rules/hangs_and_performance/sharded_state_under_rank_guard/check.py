"""Finds state that is gathered from all ranks where only some of them ask for it."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, RunView, divergence_finding, found_divergences, join, publish, with_fix
from ddl_lint_rules.hangs_and_performance.sharded_state_under_rank_guard.fix import fix

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per guard."""
    for found in found_divergences(run):
        if found.divergence.kind == "guard" and found.family == "state":
            yield with_fix(divergence_finding(run, found), fix, run, found)
