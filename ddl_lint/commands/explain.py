"""`ddl-lint explain`: shows the page of a rule."""

from __future__ import annotations

import argparse

from ddl_lint.commands.console import write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.pages.rule_list import explained
from ddl_lint.pages.rule_page import rule_page
from ddl_lint.project.selectors import groups
from ddl_lint.registry.rules import find_rule, nearest_rule, normal_name


def run(options: argparse.Namespace) -> int:
    """Show the page of the rule that is named. Raises `UserError` where there is none."""
    rules = installed_rules().rules
    rule = find_rule(options.rule, rules)
    if rule is not None:
        write(explained(rule) if options.output_format == "json" else rule_page(rule))
        return CLEAN
    group = normal_name(options.rule)
    if group in groups(rules):
        raise UserError(f"`{group}` is a group of rules; `ddl-lint rules --select {group}` lists them")
    raise UserError(f"unknown rule `{options.rule}`{nearest_rule(options.rule, rules)}; `ddl-lint rules` lists all")
