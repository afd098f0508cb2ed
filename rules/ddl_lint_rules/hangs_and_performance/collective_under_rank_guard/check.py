"""Finds calls that all ranks must make and that only some of them reach."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, RunView, divergence_finding, found_divergences, join, publish, with_fix
from ddl_lint_rules.hangs_and_performance.collective_under_rank_guard.fix import fix
from ddl_lint_rules.hangs_and_performance.collective_under_rank_guard.keys import logged_keys

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per guard, and per dict whose keys depend on the rank."""
    yield from logged_keys(run)
    for found in found_divergences(run):
        if found.divergence.kind == "guard" and found.family == "call":
            yield with_fix(divergence_finding(run, found), fix, run, found)
