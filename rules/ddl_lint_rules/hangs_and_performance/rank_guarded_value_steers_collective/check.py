"""Finds collectives that depend on a value which only some ranks have set."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, RunView, divergence_finding, found_divergences, join, publish, with_fix
from ddl_lint_rules.hangs_and_performance.rank_guarded_value_steers_collective.fix import fix

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per condition that reads such a value."""
    for found in found_divergences(run):
        guard = found.divergence.guard
        if found.divergence.kind == "value" and guard is not None:
            yield with_fix(divergence_finding(run, found, guard.location), fix, run, found)
