"""Which rules found nothing of late."""

from __future__ import annotations

from benchmarks.finds import idle
from benchmarks.judged import Judgement
from ddl_lint.registry.rules import load_rules

RULES = [rule for rule in load_rules() if rule.code in ("DDL301", "DDL402", "DDL502")]
FOUND = [
    Judgement("a", "x/y", "DDL301", "error", "true"),
    Judgement("a", "x/y", "DDL502", "error", "true"),
    Judgement("b", "x/y", "DDL402", "warning", "mild"),
    Judgement("c", "x/y", "DDL502", "error", "false"),
]


def test_a_rule_without_a_find_in_the_last_draws_is_listed_with_its_last_one() -> None:
    rows = {each.rule.code: (each.last_find, each.false) for each in idle(RULES, FOUND, 2)}
    assert rows == {"DDL301": ("a", 0), "DDL502": ("a", 1)}


def test_a_longer_look_back_finds_more() -> None:
    assert not idle(RULES, FOUND, 3)


def test_those_most_asked_about_come_first() -> None:
    rows = idle(RULES, [], 2)
    assert [each.threads for each in rows] == sorted((each.threads for each in rows), reverse=True)
    assert {each.last_find for each in rows} == {""}
