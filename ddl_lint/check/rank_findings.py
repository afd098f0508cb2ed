"""What a check finds of how the ranks of a program meet, for a trace to show where that happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ddl_lint.analysis.view import RunView
from ddl_lint.check.diagnostics import sift
from ddl_lint.check.file_settings import FileSettings
from ddl_lint.check.rule_runner import RuleRunner, merge_runs
from ddl_lint.check.selection import select_rules, severity_of
from ddl_lint.check.traced_program import TracedProgram
from ddl_lint.finding import Confidence, Finding, RuleFinding, Severity
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule

_STAGE = "hangs_and_performance"
_SLOW = "wasted-work"
_TURNED_OFF = "the settings or a comment turn this finding off"


def shows_ranks(rule: Rule) -> bool:
    """Whether a rule is about what ranks do together and get wrong, so that a trace can show it."""
    return rule.info.stage == _STAGE and rule.info.several_processes and rule.info.consequence != _SLOW


def rank_findings(
    project: TracedProgram, runs: Sequence[RunView], settings: Settings, rules: Sequence[Rule]
) -> list[Finding]:
    """What the rules about ranks say of the runs of a program, those of a check first, in its words.

    What a check does not report is of medium confidence here, with the reason: a hint, a finding of which its rule is
    not sure, and one that the settings or a comment turn off. A fault of a rule is left to a check to report.
    """
    wanted = {*map(_code, select_rules(rules, settings)), *map(_code, select_rules(rules, Settings()))}
    asked = {rule.code: rule for rule in rules if rule.code in wanted and shows_ranks(rule)}
    runner = RuleRunner(asked.values())
    sources = project.sources

    def module_of(path: str) -> str | None:
        return sources[path].name if path in sources else None

    judged = merge_runs([runner.run_result(run) for run in runs], runner.rules, module_of).findings
    found = list(project.standing.lowered(judged, asked))
    applied = FileSettings(lambda _: settings, rules)
    for path in {each.location.path for each in found}:
        applied.take(Path(path))
    whole, hidden = sift(found, applied.settings, project.files, rules, applied)
    shown, hints = ([each for each in few if each.code in asked] for few in (whole, hidden))  # not those on comments
    told = {(each.code, place) for each in (*shown, *hints) for place in (each.location, *each.finding.places)}
    off = [each for each in found if (each.code, each.location) not in told]

    def made(each: RuleFinding, *, reported: bool = True, doubt: str = "") -> Finding:
        rule, finding = asked[each.code].narrowed(each.finding), each.finding
        is_sure = rule.info.confidence is Confidence.HIGH
        is_met = reported and severity_of(rule, settings, finding.severity) is not Severity.INFO
        return replace(
            finding,
            confidence=Confidence.HIGH if is_sure and is_met else Confidence.MEDIUM,
            consequence=rule.info.consequence,
            doubt=finding.doubt or (doubt if is_sure else ""),
        )

    findings = [made(each) for each in shown]
    findings += [made(each, reported=False) for each in hints]
    findings += [made(each, reported=False, doubt=_TURNED_OFF) for each in off]
    return sorted(findings, key=lambda finding: finding.confidence is Confidence.MEDIUM)


def _code(rule: Rule) -> str:
    return rule.code
