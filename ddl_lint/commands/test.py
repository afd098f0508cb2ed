"""`ddl-lint test`: tries rules on their own programs, for who writes one."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ddl_lint.check.rule_cases import CaseError
from ddl_lint.check.rule_test import try_rule
from ddl_lint.commands.console import write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FINDINGS, UserError
from ddl_lint.registry.rules import Rule, find_rule, nearest_rule

_OURS = "ddl_lint_rules."


def run(options: argparse.Namespace) -> int:
    """Tell of each rule what differs from what its programs expect. Raises `UserError` where there is no such rule."""
    rules = installed_rules().rules
    chosen = [rule for rule in rules if rule.folder is not None]
    if options.rule:
        rule = find_rule(options.rule, chosen)
        if rule is None:
            hint = nearest_rule(options.rule, chosen)
            raise UserError(f"unknown rule `{options.rule}`{hint}; `ddl-lint rules` lists all")
        chosen = [rule]
    try:
        differing = [rule.name for rule in chosen if not _is_as_expected(rule, rules)]
    except CaseError as error:
        raise UserError(str(error)) from None
    return FINDINGS if differing else CLEAN


def _is_as_expected(rule: Rule, rules: Sequence[Rule]) -> bool:
    """Of our rules, the programs mark what all of them report; of a rule of another package, what it reports itself."""
    asked = rules if rule.module.startswith(_OURS) else [each for each in rules if each is rule or each.info.is_engine]
    programs = differing = 0
    for tried in try_rule(rule, asked):
        programs += "/" in tried.name
        differing += bool(tried.differences)
        if tried.differences:
            write("\n  ".join([f"{rule.name}: {tried.name}", *tried.differences]) + "\n")
    outcome = f"{differing} of them not as expected" if differing else "all as expected"
    write(f"{rule.name}: {programs} programs, {outcome}\n")
    return not differing
