"""Finds what only the chief of a multi-worker strategy does, although all workers must."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.rulekit import Finding, RunView, divergence_finding, found_divergences, join, publish, with_fix
from ddl_lint_rules.hangs_and_performance.chief_only_collective.fix import fix

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per guard."""
    for found in found_divergences(run):
        if found.divergence.kind == "guard" and found.family == "chief":
            finding = divergence_finding(run, found)
            event = found.divergence.step.event
            if event is not None and event.kind == "save":
                finding = replace(finding, help="")  # what the rule says of all: who writes where
            yield with_fix(finding, fix, run, found)
