"""`ddl-lint explain`: shows the page of a rule."""

from __future__ import annotations

import argparse

from ddl_lint.commands.console import write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.pages.rule_page import rule_page
from ddl_lint.registry.rules import nearest_rule


def run(options: argparse.Namespace) -> int:
    """Show the page of the rule that is named. Raises `UserError` where there is none."""
    rules = installed_rules().rules
    for rule in rules:
        if options.rule in (rule.name, rule.code):
            write(rule_page(rule))
            return CLEAN
    raise UserError(f"unknown rule `{options.rule}`{nearest_rule(options.rule, rules)}; `ddl-lint rules` lists all")
