"""Which rules are on by default: those on whose findings people act."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import default_set
from benchmarks.default_set import ActedOn, Now, acted_on, confidence, confidences, has_sure_errors, retried, retry
from benchmarks.judged import Judgement, judgements
from ddl_lint.finding import Confidence
from ddl_lint.registry.rules import load_rules


def test_the_rules_say_what_the_judgements_say() -> None:
    wanted = confidences()
    for rule in load_rules():
        if not rule.info.is_engine:
            said = rule.info.confidence, rule.info.sure_errors
            assert said == wanted[rule.code], f"{rule.code}: run python -m benchmarks.default_set"


def test_what_was_tried_again_was_judged() -> None:
    judged = {(each.repository, each.file, each.line, each.code) for each in judgements()}
    assert set(retried()) <= judged


@pytest.mark.parametrize(
    ("code", "known", "wanted"),
    [
        ("DDL999", None, Confidence.HIGH),
        ("DDL999", ActedOn(4, 0), Confidence.HIGH),  # too few
        ("DDL999", ActedOn(5, 3), Confidence.MEDIUM),
        ("DDL999", ActedOn(10, 7), Confidence.HIGH),
        ("DDL201", ActedOn(14, 4), Confidence.HIGH),  # named
        ("DDL504", ActedOn(12, 7), Confidence.HIGH),  # a hang
        ("DDL516", ActedOn(12, 7), Confidence.MEDIUM),  # none
    ],
)
def test_few_repositories_tell_nothing_and_some_rules_stay(
    code: str, known: ActedOn | None, wanted: Confidence
) -> None:
    assert confidence(code, known) is wanted


@pytest.mark.parametrize(
    ("known", "wanted"), [(None, False), (ActedOn(2, 2), False), (ActedOn(3, 3), True), (ActedOn(10, 6), False)]
)
def test_errors_on_which_people_act_stay(known: ActedOn | None, wanted: bool) -> None:
    assert has_sure_errors(known) is wanted


def test_a_repository_counts_once_and_only_for_what_is_still_said() -> None:
    found = [
        Judgement("a", "x/y", "DDL301", "error", "true", "a.py", "1"),
        Judgement("a", "x/y", "DDL301", "error", "mild", "a.py", "2"),
        Judgement("a", "x/z", "DDL301", "error", "mild", "b.py", "3"),
    ]
    assert acted_on(found, None) == {"DDL301": ActedOn(2, 1)}
    assert acted_on(found, {}) == {}
    first: dict[tuple[str, str, str, str], Now] = {("x/y", "a.py", "1", "DDL301"): "said"}
    assert acted_on(found, first) == {"DDL301": ActedOn(1, 1)}
    assert acted_on(found, {**first, ("x/z", "b.py", "3", "DDL301"): "said"}) == {"DDL301": ActedOn(2, 1)}
    assert acted_on(found, {**first, ("x/z", "b.py", "3", "DDL301"): "hint"}) == {"DDL301": ActedOn(1, 1)}


def test_findings_are_tried_again_at_the_commit_at_which_they_were_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout, draws = tmp_path / "x+y", tmp_path / "draws"
    checkout.mkdir()
    draws.mkdir()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(checkout)]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "a"]):
        subprocess.run([*git, *words], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout[:12]
    head = "repository,commit,file,line,code,severity,confidence,verdict\n"
    rows = [f"x/y,{commit},a.py,{line},DDL301,error,high,true\n" for line in (1, 2, 3, 4)]
    gone = "x/y,000000000000,a.py,1,DDL302,error,high,true\nx/z,000000000000,a.py,1,DDL302,error,high,true\n"
    (draws / "2026-01-01-a.csv").write_text(head + "".join(rows) + gone, encoding="utf-8")
    monkeypatch.setattr(default_set, "DRAWS", draws)
    told = [
        {"file": "a.py", "code": "DDL301", "severity": severity, "range": {"start": {"line": line}}, "related": related}
        for line, severity, related in (
            (1, "error", [{"file": "a.py", "range": {"start": {"line": 4}}}]),
            (2, "info", []),
        )
    ]
    program = tmp_path / "linter.py"
    program.write_text(f"print({json.dumps({'diagnostics': told})!r})", encoding="utf-8")
    again = retry(tmp_path, [sys.executable, str(program)])
    assert [(row["line"], row["now"]) for row in again] == [
        ("1", "said"),
        ("2", "hint"),
        ("3", "silent"),
        ("4", "said"),
    ]
