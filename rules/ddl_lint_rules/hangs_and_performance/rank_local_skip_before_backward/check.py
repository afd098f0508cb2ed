"""Finds batches that one rank may skip while the others average its gradients."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, RunView, local_divergence_finding, local_divergences, with_fix
from ddl_lint_rules.hangs_and_performance.rank_local_skip_before_backward.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per early exit or condition."""
    for divergence in local_divergences(run):
        if divergence.kind == "skip":
            yield with_fix(local_divergence_finding(run, divergence), fix, run, divergence)
