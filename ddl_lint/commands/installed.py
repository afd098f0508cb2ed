"""The rules that are installed, for the commands that need them."""

from __future__ import annotations

from ddl_lint.commands.outcome import UserError
from ddl_lint.registry import rules
from ddl_lint.registry.rules import Rule, RuleFileError
from ddl_lint.storage import Storage


def installed_rules(storage: Storage | None = None) -> list[Rule]:
    """All rules, by code. Raises `UserError` where one of them is broken."""
    try:
        return rules.load_rules(storage)
    except RuleFileError as error:
        raise UserError(str(error)) from None
