"""The programs on which our rules are tried."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ddl_lint.check import rule_cases
from ddl_lint.check.rule_cases import CaseError, Line, Program, cases_in, name_of, program_at, programs_in

__all__ = [
    "CaseError",
    "Line",
    "Program",
    "cases_in",
    "name_of",
    "program_at",
    "program_of_rule",
    "programs_in",
    "programs_of_rule",
]

_RULES = Path(__file__).parent / "rules"


def programs_of_rule(rule: str, kind: str) -> Iterator[Program]:
    """The programs on which a rule is tried, `flagged` or `silent`."""
    return rule_cases.programs_of_rule(_RULES / rule.replace("-", "_"), kind)


def program_of_rule(rule: str, kind: str, name: str) -> Program:
    """One of the programs on which a rule is tried."""
    return next(program for program in programs_of_rule(rule, kind) if program.name == name)
