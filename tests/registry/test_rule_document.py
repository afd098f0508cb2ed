"""The page of a rule in the documentation: the example first, how the rule is classified last, no marks of tests."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ddl_lint.check.case_marks import without_marks
from ddl_lint.pages.docs import PRECISION, pages
from ddl_lint.pages.rule_document import acted_on, fix_in_short, in_short, rule_document
from ddl_lint.pages.rule_page import facts, fix_safety, rule_page
from ddl_lint.registry.rules import Rule, load_rules

ROOT = Path(__file__).parents[2]
RULES = {rule.name: rule for rule in load_rules() if not rule.info.is_engine}
ORDER = ("Example", "Why", "What to do", "When it is silent", "How to silence it", "Evidence", "Facts")
MARK = re.compile(r"# (?:error|warning|info|related)\S*:? ?\[?\w+-\w+")


@pytest.fixture(scope="module")
def documents() -> dict[str, str]:
    return {name: page for name, page in pages(load_rules(), ROOT).items() if name.startswith("rules/")}


def test_the_parts_are_in_order(documents: dict[str, str]) -> None:
    for name, page in documents.items():
        titles = re.findall(r"^## (.+)$", page, re.MULTILINE)
        assert titles == [title for title in ORDER if title in titles], name
        assert {"Why", "What to do", "How to silence it", "Facts"} <= set(titles), name


def test_no_page_shows_marks_of_tests_or_todos(documents: dict[str, str]) -> None:
    for name, page in documents.items():
        assert not MARK.findall(page) and "TODO" not in page and "tODO" not in page, name


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("x = 1  # error: [rule-name]", "x = 1"),
        ("x = 1  # related: [one, other-name]", "x = 1"),
        ("x = 1  # error: the loss is NaN", "x = 1  # error: the loss is NaN"),
    ],
)
def test_marks_are_stripped(line: str, shown: str) -> None:
    assert without_marks(line) == shown


def test_the_study_and_releases_that_never_were_are_no_part_of_a_page(documents: dict[str, str]) -> None:
    for name, page in documents.items():
        assert "studied faults" not in page and "stable, since" not in page, name


def test_evidence_says_what_was_seen_and_who_acted() -> None:
    rule = RULES["missing-set-epoch"]
    page = rule_document(rule, {rule.name: {"torch": {"version": "9.9", "outcome": "wrong"}}}, {rule.code: "5 of 7"})
    evidence = page.partition("## Evidence\n")[2].partition("## Facts")[0]
    assert "- Reproduced on torch 9.9: runs to its end, with a wrong result; the fixed program finishes." in evidence
    assert "in 5 of 7 repositories" in evidence and "[pytorch/pytorch#31771](https://github.com/" in evidence
    assert "## Evidence" not in rule_document(replace(rule, info=replace(rule.info, references=())), {}, {})


def test_the_first_line_says_what_matters() -> None:
    assert in_short(RULES["missing-set-epoch"]) == "**Wrong result or crash** · warning · safe fix · PyTorch"
    assert fix_in_short(RULES["early-exit-before-collective"]) == "unsafe fix"


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("The model may be elsewhere", "There is no automatic fix: the model may be elsewhere."),
        ("NCCL may be missing.", "There is no automatic fix: NCCL may be missing."),
        ("TODO: say why", "There is no automatic fix: TODO: say why."),
        ("`x` may be None", "There is no automatic fix: `x` may be None."),
        ("Slurm decides", "There is no automatic fix: Slurm decides."),
        ("", "There is no automatic fix."),
    ],
)
def test_a_reason_is_part_of_a_sentence(reason: str, said: str) -> None:
    rule = RULES["missing-set-epoch"]
    fix = replace(rule.info.fix, kind="none", reason=reason)
    assert fix_safety(replace(rule, info=replace(rule.info, fix=fix))) == said


def test_text_and_page_say_the_same(documents: dict[str, str]) -> None:
    for name in ("collective-under-rank-guard", "broken-line-continuation"):
        rule: Rule = RULES[name]
        text = rule_page(rule)
        assert list(facts(rule)) == re.findall(r"^\| ([\w ]+) \| ", documents[f"rules/{name}.md"], re.MULTILINE)
        assert re.findall(r"^(Example|Why|What to do|Silent when|How to silence it|Facts)$", text, re.MULTILINE) == [
            *("Example", "Why", "What to do", "Silent when", "How to silence it", "Facts")
        ]


def test_who_acted_is_read_from_the_page_about_precision() -> None:
    page = "| DDL402 `missing-set-epoch` | 126 | 104 | 17 | 5 (4%) | 59 of 73 | 29 of 34 |\n"
    assert acted_on(page) == {"DDL402": "59 of 73"}
    found = acted_on((ROOT / "docs" / PRECISION).read_text(encoding="utf-8"))
    assert len(found) > 80 and set(found) <= {rule.code for rule in load_rules()}


def test_each_rule_about_ranks_that_do_not_meet_has_pictures() -> None:
    """The rules whose faults are in the script itself: `make site` adds them."""
    from ddl_lint.pages.rule_pictures import rank_pictures

    hangs = [rule for rule in RULES.values() if "hang" in rule.info.consequences]
    wanted = {rule.name for rule in hangs if rule.info.stage == "hangs_and_performance"}
    wanted -= {"tf-parameter-server-cluster"}  # its processes are servers, not ranks
    for name in wanted:
        assert [picture.side for picture in rank_pictures(RULES[name], "svg")] == ["bad", "good"], name
    assert len(wanted) > 15
