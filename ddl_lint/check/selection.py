"""Which rules the settings turn on, which findings they let through, and how bad they call them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ddl_lint.finding import Confidence, Finding, Severity
from ddl_lint.project.config import Settings
from ddl_lint.project.selectors import EXACT, heaviest
from ddl_lint.registry.rules import Rule


def select_rules(rules: Sequence[Rule], settings: Settings) -> list[Rule]:
    """The rules that the settings turn on.

    A selector is a code, a name, the first digits of codes, a group, or `ALL`. A rule is on when the narrowest selector
    that means it selects it; at a tie, `ignore` wins. The default set holds the stable rules; `preview` adds those in
    preview. What the rules of medium confidence say are hints there (`severity_of`). A rule that is selected by its own
    name or code is on whatever its lifecycle, and what `enforce` selects whatever ignores it. The engine's own rules
    are on unless they are ignored. Where a rule's findings have several consequences, it is on when one of them is
    wanted.
    """
    return [rule for rule in rules if any(_is_on(each, settings) for each in _by_consequence(_taken_for_sure(rule)))]


def _taken_for_sure(rule: Rule) -> Rule:
    """The rule as one of high confidence."""
    if rule.info.confidence is Confidence.HIGH:
        return rule
    return replace(rule, info=replace(rule.info, confidence=Confidence.HIGH))


def _by_consequence(rule: Rule) -> Iterator[Rule]:
    """The rule, which is seldom off where it is on for one of its consequences, and a rule for each of several."""
    yield rule
    for consequence in rule.info.consequences[1:] and rule.info.consequences:
        yield replace(rule, info=replace(rule.info, consequences=(consequence,)))


def is_shown(rule: Rule, finding: Finding, settings: Settings) -> bool:
    """Whether the settings let a finding of a rule through that is on: it is treated like those of a rule that has its
    consequence, and, where it is doubtful itself, its confidence.
    """
    narrowed = rule.narrowed(finding)
    if finding.confidence is None:
        narrowed = _taken_for_sure(narrowed)
    return narrowed is rule or _is_on(narrowed, settings)


def _is_on(rule: Rule, settings: Settings) -> bool:
    enforced = heaviest(settings.enforce, rule.info, turns_on=True)
    if enforced >= EXACT or (enforced >= 0 and _may_be_implied(rule, settings)):
        return True
    chosen = heaviest(settings.extend_select, rule.info, turns_on=True)
    if settings.select is not None:
        chosen = max(chosen, heaviest(settings.select, rule.info, turns_on=True))
    elif _in_default_set(rule, settings):
        chosen = max(chosen, 0)
    if chosen < EXACT and not _may_be_implied(rule, settings):
        return False
    if rule.info.is_engine:
        chosen = max(chosen, 0)
    return chosen > heaviest(settings.ignore, rule.info)


def _in_default_set(rule: Rule, settings: Settings) -> bool:
    return rule.info.confidence is Confidence.HIGH or settings.pedantic


def _may_be_implied(rule: Rule, settings: Settings) -> bool:
    """Whether a rule can be on without being named itself."""
    return rule.info.lifecycle == "stable" or (rule.info.lifecycle == "preview" and settings.preview)


def is_hint(rule: Rule, finding: Finding, settings: Settings) -> bool:
    """Whether a finding is an info that nothing asks for: its rule is not selected by its own name or code, and no
    setting of severities is about it. What the engine notes on its own work is no hint.
    """
    if severity_of(rule, settings, finding.severity) is not Severity.INFO or settings.pedantic or settings.hints:
        return False
    is_note = rule.info.is_engine and finding.severity is None
    named = heaviest((*(settings.select or ()), *settings.extend_select), rule.info, turns_on=True)
    return not is_note and named < EXACT and heaviest(settings.severity, rule.info) < 0


def severity_of(rule: Rule, settings: Settings, own: Severity | None = None) -> Severity:
    """How bad a finding of a rule is: what the narrowest selector of the settings says, else the finding's `own`, else
    the rule's. What a rule of medium confidence says, for which nothing asks, is an info.
    """
    severity = own or rule.info.severity
    weights = {label: heaviest([label], rule.info) for label in settings.severity}
    narrowest = max(weights, key=weights.__getitem__, default="")
    if weights.get(narrowest, -1) >= 0:
        configured = settings.severity[narrowest]
        is_enforced = heaviest(settings.enforce, rule.info, turns_on=True) >= 0
        return max(severity, configured, key=lambda each: each.rank) if is_enforced else configured
    is_sure = rule.info.confidence is Confidence.HIGH or (rule.info.sure_errors and severity is Severity.ERROR)
    return severity if is_sure or _is_asked_for(rule, settings) else Severity.INFO


def _is_asked_for(rule: Rule, settings: Settings) -> bool:
    """Whether a setting wants a rule that is of medium confidence."""
    wanted = (*(settings.select or ()), *settings.extend_select, *settings.enforce)
    return settings.pedantic or heaviest(wanted, rule.info) >= 0
