"""Finds ranks that leave before a call that the others make."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.analysis.ranks.findings import told
from ddl_lint.analysis.ranks.nondeterminism import local_divergences
from ddl_lint.analysis.ranks.nondeterminism import told as told_of
from ddl_lint.analysis.ranks.survey import survey
from ddl_lint.analysis.view import ProjectView
from ddl_lint.finding import Finding
from ddl_lint.fixes.build import with_fix
from ddl_lint_rules.hangs_and_performance.early_exit_before_collective.fix import fix, leave_together


def check(project: ProjectView) -> Iterable[Finding]:
    """One finding per way out."""
    for found in survey(project):
        if found.divergence.kind == "exit":
            yield with_fix(told(project, found), fix, project, found)
    for divergence in local_divergences(project):
        if divergence.kind == "leave":
            yield with_fix(told_of(project, divergence), leave_together, project, divergence)
