"""`ddl-lint rules`: lists the rules."""

from __future__ import annotations

import argparse

from ddl_lint.commands.console import write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FAILURE, UserError
from ddl_lint.pages.rule_list import listed
from ddl_lint.project.selectors import groups, heaviest, unknown_selector


def run(options: argparse.Namespace) -> int:
    """Show all rules and their groups, or those selected. Raises `UserError` for a selector that means none."""
    found = installed_rules()
    rules = found.rules
    if options.select is not None:
        if unknown := unknown_selector(options.select, found.known):
            raise UserError(unknown[1])
        rules = [rule for rule in rules if heaviest(options.select, rule.info, turns_on=True) >= 0]
    write(listed(rules, groups(rules) if options.select is None else {}, options.output_format))
    return FAILURE if found.mistakes else CLEAN
