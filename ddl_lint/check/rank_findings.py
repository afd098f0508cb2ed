"""What rules say of how the ranks of a run meet, for a trace to show beside what it sees by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ddl_lint.analysis.view import RunView
from ddl_lint.check.judging import Jury, joined
from ddl_lint.check.selection import select_rules
from ddl_lint.finding import Finding
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule

_STAGE = "hangs_and_performance"
_SLOW = "wasted-work"


def shows_ranks(rule: Rule) -> bool:
    """Whether a rule is about what ranks do together and get wrong, so that a trace can show it."""
    return rule.info.stage == _STAGE and rule.info.several_processes and rule.info.consequence != _SLOW


def rank_findings(run: RunView, settings: Settings, rules: Sequence[Rule]) -> list[Finding]:
    """What those of the rules say of a run that find what a trace shows, as far as the settings want them.

    A fault of a rule is left to a check to report.
    """
    asked = [rule for rule in select_rules(rules, settings) if shows_ranks(rule)]
    known = {rule.code: rule for rule in asked}
    jury = Jury(asked)
    judged = joined([jury.verdict(run)], jury.rules, lambda path: None)
    found = [(known[each.code].narrowed(each.finding).info, each.finding) for each in judged.findings]
    return [replace(finding, confidence=rule.confidence, consequence=rule.consequence) for rule, finding in found]
