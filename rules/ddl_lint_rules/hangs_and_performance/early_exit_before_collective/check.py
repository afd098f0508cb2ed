"""Finds ranks that leave before a call that the others make."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.analysis.ranks.findings import told
from ddl_lint.analysis.ranks.nondeterminism import local_divergences
from ddl_lint.analysis.ranks.nondeterminism import told as told_of
from ddl_lint.analysis.ranks.survey import join, publish, survey
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Finding
from ddl_lint.fixes.build import with_fix
from ddl_lint_rules.hangs_and_performance.early_exit_before_collective.fix import fix, leave_together

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per way out."""
    for found in survey(run):
        if found.divergence.kind == "exit":
            yield with_fix(told(run, found), fix, run, found)
    for divergence in local_divergences(run):
        if divergence.kind == "leave":
            yield with_fix(told_of(run, divergence), leave_together, run, divergence)
