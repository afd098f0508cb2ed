"""The words that select rules: a code, a name, the first digits of codes, a group, or `ALL`.

A group is a consequence (`hang`) or a framework (`horovod`). Capitals do not matter, nor do underscores for hyphens.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ddl_lint.finding import RuleFinding
from ddl_lint.registry.consequences import CONSEQUENCES
from ddl_lint.registry.rule_file import RuleInfo
from ddl_lint.registry.rules import Rule, nearest_rule, normal_name
from ddl_lint.registry.schema import nearest

EXACT = 100
"""The weight of a name or a whole code: more than any prefix has."""

_GROUP = 2
"""As much as the digit of a stage, which is a group as well."""

_PREFIX = re.compile(r"([a-z]+)([0-9]*)")


def heaviest(selectors: Iterable[str], rule: RuleInfo, *, turns_on: bool = False) -> int:
    """How narrowly some selectors mean a rule: 0 by `ALL`, then by the letters of codes, by a group or a stage, by more
    digits, and `EXACT`; -1 when none does.

    What turns rules on by a framework means all that apply to it. Elsewhere frameworks mean the rules that apply to no
    other, because a fault of PyTorch and Horovod does not go away with Horovod.
    """
    words = {normal_name(selector) for selector in selectors}
    if not words:
        return -1
    weight = max(_weight(word, rule) for word in words)
    frameworks = words.intersection(rule.frameworks)
    if frameworks and (turns_on or len(frameworks) == len(rule.frameworks)):
        weight = max(weight, _GROUP)
    return weight


def _weight(word: str, rule: RuleInfo) -> int:
    code = rule.code.lower()
    if not word:
        return -1
    if word in (code, rule.name):
        return EXACT
    if word == "all":
        return 0
    if word in rule.consequences:
        return _GROUP
    prefix = _PREFIX.fullmatch(word)
    # The letters are those of a package of rules: all of them or none.
    if prefix is None or not code.startswith(word) or code.rstrip("0123456789") != prefix[1]:
        return -1
    return 1 + len(prefix[2])


def unknown_selector(selectors: Iterable[str], rules: Sequence[Rule]) -> tuple[str, str] | None:
    """The first selector that means no rule, and a message about it with the nearest right one."""
    for selector in selectors:
        if normal_name(selector) != "all" and all(heaviest([selector], rule.info, turns_on=True) < 0 for rule in rules):
            names = groups(rules)
            hint = nearest(normal_name(selector), names) or nearest_rule(selector, rules)
            return selector, f"unknown rule `{selector}`{hint}"
    return None


def groups(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    """The rules of each group: consequences first, the worst at the top, then frameworks by their names."""
    rules = [rule for rule in rules if not rule.info.is_engine]
    frameworks = sorted({framework for rule in rules for framework in rule.info.frameworks})
    found = {name: [rule for rule in rules if name in rule.info.consequences] for name in CONSEQUENCES}
    found |= {name: [rule for rule in rules if name in rule.info.frameworks] for name in frameworks}
    return {name: members for name, members in found.items() if members}


@dataclass(frozen=True)
class KnownRules:
    """The rules that a suppression comment or `per-file-ignores` may name."""

    rules: Sequence[Rule]

    @functools.cached_property
    def codes(self) -> dict[str, str]:
        """The code of each rule under its name and under its code, as `normal_name` writes them."""
        return {normal_name(label): rule.code for rule in self.rules for label in (rule.code, rule.name)}

    def code(self, name: str) -> str | None:
        """The code of the rule with a name or code."""
        return self.codes.get(normal_name(name))

    def hint(self, name: str) -> str:
        """What may be meant by a name that is none; empty where that is unknown."""
        return nearest_rule(name, self.rules)

    def meant(self, selectors: Sequence[str]) -> set[str]:
        """The codes of the rules all of whose findings some selectors mean."""
        wanted = {normal_name(selector) for selector in selectors}
        return {
            rule.code
            for rule in self.rules
            if heaviest(wanted - set(rule.info.consequences), rule.info) >= 0
            or (rule.info.consequences and wanted.issuperset(rule.info.consequences))
        }

    def means(self, selectors: Sequence[str], found: RuleFinding) -> bool:
        """Whether some selectors mean a finding."""
        rule = self._by_code.get(found.code)
        return rule is not None and heaviest(selectors, rule.narrowed(found.finding).info) >= 0

    @functools.cached_property
    def _by_code(self) -> dict[str, Rule]:
        return {rule.code: rule for rule in self.rules}
