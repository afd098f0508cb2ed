"""What first contacts have shown, and the page that tells it."""

from __future__ import annotations

from benchmarks.judged import DRAWS, Judgement, judgements
from benchmarks.precision import PAGE, page
from ddl_lint.registry.rules import load_rules

VERDICTS = {"true", "mild", "false"}


def test_the_page_is_that_of_the_draws() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(judgements()), "run python -m benchmarks.precision"


def test_each_judgement_is_of_a_rule_and_has_a_verdict() -> None:
    found = judgements()
    assert {each.draw for each in found} == {path.stem for path in DRAWS.glob("*.csv")}
    assert {each.verdict for each in found} <= VERDICTS
    assert {each.code for each in found} <= {rule.code for rule in load_rules()}


def test_copies_of_a_script_count_once_for_the_repository() -> None:
    copies = [Judgement("a", "x/y", "DDL301", "warning", "false")] * 3
    other = Judgement("a", "x/z", "DDL301", "error", "true")
    text = page([*copies, other])
    assert "| DDL301 `load-without-map-location` | 4 | 1 | 0 | 3 (75%) | 1 of 2 | - |" in text
    assert "| a | 2 | 4 | 1 | 0 | 3 (75%) |" in text
    assert "| a, errors |  | 1 | 1 | 0 | 0 (0%) |" in text


def test_the_page_names_what_was_wrong_most_often_in_the_last_draw() -> None:
    earlier = Judgement("a", "x/y", "DDL402", "warning", "false")
    false = [Judgement("b", name, "DDL301", "error", "false") for name in ("x/y", "x/y", "x/z")]
    text = page([earlier, *false, Judgement("b", "x/y", "DDL301", "error", "true")])
    assert "In draw b, 3 of 4 findings were false, in 2 repositories. 1 rule made 3 of them:" in text
    assert "| DDL301 `load-without-map-location` | 4 | 3 | 2 |" in text
