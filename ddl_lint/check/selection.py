"""Which rules the settings turn on, which findings they let through, and how bad they call them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ddl_lint.finding import Confidence, Finding, Severity
from ddl_lint.project.config import Settings
from ddl_lint.project.selectors import EXACT, heaviest, weight
from ddl_lint.registry.rules import Rule, nearest_rule


def select_rules(rules: Sequence[Rule], settings: Settings) -> list[Rule]:
    """The rules that the settings turn on.

    A selector is a code, a name, the first letters of codes, or `ALL`. A rule is on when the longest selector that
    means it selects it; at a tie, `ignore` wins. The default set holds the stable rules of high confidence; `pedantic`
    adds those of medium confidence, `preview` those in preview. A rule that is selected by its own name or code is on
    whatever its confidence and lifecycle. The engine's own rules are on unless they are ignored.
    """
    return [rule for rule in rules if _is_on(rule, settings)]


def is_shown(rule: Rule, finding: Finding, settings: Settings) -> bool:
    """Whether the settings let a finding of a rule through that is on: one that is less sure than its rule is treated
    like those of a rule of that confidence.
    """
    if finding.confidence in (None, rule.info.confidence):
        return True
    return _is_on(replace(rule, info=replace(rule.info, confidence=finding.confidence)), settings)


def _is_on(rule: Rule, settings: Settings) -> bool:
    chosen = heaviest(settings.extend_select, rule.code, rule.name)
    if settings.select is not None:
        chosen = max(chosen, heaviest(settings.select, rule.code, rule.name))
    elif _in_default_set(rule, settings):
        chosen = max(chosen, 0)
    if chosen < EXACT and not _may_be_implied(rule, settings):
        return False
    if rule.info.is_engine:
        chosen = max(chosen, 0)
    return chosen > heaviest(settings.ignore, rule.code, rule.name)


def _in_default_set(rule: Rule, settings: Settings) -> bool:
    return rule.info.confidence is Confidence.HIGH or settings.pedantic


def _may_be_implied(rule: Rule, settings: Settings) -> bool:
    """Whether a rule can be on without being named itself."""
    return rule.info.lifecycle == "stable" or (rule.info.lifecycle == "preview" and settings.preview)


def unknown_selector(selectors: Iterable[str], rules: Sequence[Rule]) -> tuple[str, str] | None:
    """The first selector that means no rule, and a message about it with the nearest right one."""
    for selector in selectors:
        if selector != "ALL" and all(weight(selector, rule.code, rule.name) < 0 for rule in rules):
            return selector, f"unknown rule `{selector}`{nearest_rule(selector, rules)}"
    return None


def severity_of(rule: Rule, settings: Settings, own: Severity | None = None) -> Severity:
    """How bad a finding of a rule is: what the settings say, else the finding's `own`, else the rule's."""
    for label in (rule.name, rule.code):
        if label in settings.severity:
            return settings.severity[label]
    return own or rule.info.severity
