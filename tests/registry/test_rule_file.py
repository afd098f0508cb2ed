"""`rule.yaml`: what is read, and what is said about mistakes."""

from __future__ import annotations

import pytest

from ddl_lint.finding import Confidence, Severity
from ddl_lint.registry.index import ENGINE_RULES
from ddl_lint.registry.rule_file import (
    FixAdvice,
    RuleFileError,
    RuleInfo,
    SilentCase,
    read_engine_rules,
    read_rule_file,
    rule_info,
    rule_schema,
)
from ddl_lint.rulekit import API_VERSION


def test_everything_that_is_said(add_rule_folder):
    assert rule_info(read_rule_file(add_rule_folder() / "rule.yaml")) == RuleInfo(
        code="DDL401",
        name="lost-rank",
        summary="Says lost-rank",
        frameworks=("pytorch",),
        stage="training",
        symptom="hang",
        fix_pattern="fix behavior logic",
        severity=Severity.WARNING,
        confidence=Confidence.HIGH,
        lifecycle="stable",
        since="0.1.0",
        covers=(),
        why="Because it hangs.",
        fix=FixAdvice("code", "Do it right.", "unsafe", "it is a guess"),
        silent_when=(SilentCase("nothing is wrong", "nothing_wrong"),),
        references=("owner/repository#1",),
        events=frozenset(),
        several_processes=False,
    )


def test_the_schema_is_a_schema_and_names_every_field():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(rule_schema())
    fields = {name.replace("consequences", "consequence") for name in RuleInfo.__dataclass_fields__}
    assert set(rule_schema()["properties"]) == fields


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("severity: warning", "severity: wrning", 8, "`severity`: unknown value `wrning` (did you mean `warning`?)"),
        ("symptom: hang\n", "sympton: hang\n", 6, "`sympton`: unknown key `sympton` (did you mean `symptom`?)"),
        ("symptom: hang\n", "", 1, "`consequence`: is required where there is no `symptom`"),
        ("stage: training\n", "", 1, "`stage`: the key `stage` is missing"),
        ("  kind: code", "  kind: coding", 16, "`fix.kind`: unknown value `coding` (did you mean `code`?)"),
        ("frameworks: [pytorch]", "frameworks: []", 4, "`frameworks`: must not be empty"),
        (
            "frameworks: [pytorch]",
            "frameworks: pytorch",
            4,
            "`frameworks`: expected a list, found a string ('pytorch')",
        ),
        ("    test: nothing_wrong", "    tst: x", 22, "`silent_when[0].tst`: unknown key `tst` (did you mean `test`?)"),
        ('since: "0.1.0"', "since: 0.1", 11, "`since`: expected a string, found a number (0.1)"),
        (
            "stage: training",
            "stage: launch_and_config",
            5,
            "`stage`: `launch_and_config` does not fit its folder `training`",
        ),
        ("name: lost-rank", "name: other-rank", 2, "`name`: `other-rank` does not fit its folder `lost_rank`"),
        ("  reason: it is a guess\n", "", 15, "`fix.reason`: must say why the fix is not safe"),
        (
            "  applicability: unsafe\n  reason: it is a guess",
            "  applicability: none",
            18,
            "`fix.applicability`: cannot be `none` when the rule offers edits (`kind: code`)",
        ),
        (
            "  kind: code\n  advice: Do it right.\n  applicability: unsafe\n  reason: it is a guess",
            "  kind: none\n  advice: Do it right.\n  applicability: none",
            15,
            "`fix.reason`: must say why there are no edits (`kind: none`)",
        ),
        (
            "covers: []",
            "covers: []\nevents: [fit, saved]",
            13,
            "`events[1]`: unknown event `saved` (did you mean `save`?)",
        ),
        ("symptom: hang", "symptom: hang\nsymptom: hang", 7, "`symptom`: the key is here twice"),
        ("frameworks: [pytorch]", "frameworks: [pytorch", 5, "is not valid YAML: expected ',' or ']', but got ':'"),
        (
            "summary: Says lost-rank",
            "summary: Says it.",
            3,
            "`summary`: `Says it.` is not allowed here: "
            "one sentence in the present tense, without a full stop at its end",
        ),
        (
            "code: DDL401",
            "code: D1",
            1,
            "`code`: `D1` is not allowed here: capital letters and three digits, such as DDL201; "
            "the first digit is the stage",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(add_rule_folder, old, new, line, message):
    file = add_rule_folder("DDL401", "lost-rank", old, new) / "rule.yaml"
    with pytest.raises(RuleFileError) as caught:
        read_rule_file(file)
    assert str(caught.value) == f"{file}:{line}: {message}"


def test_what_no_study_knows_need_not_be_said(add_rule_folder):
    folder = add_rule_folder(
        "DDL401", "lost-rank", "symptom: hang\nfix_pattern: fix behavior logic", "consequence: hang"
    )
    data = read_rule_file(folder / "rule.yaml")
    assert rule_info(data).symptom == rule_info(data).fix_pattern == ""
    assert rule_info(data).consequence == "hang"


def test_all_mistakes_are_told_at_once_in_their_order(add_rule_folder):
    file = add_rule_folder("DDL401", "other-rank") / "rule.yaml"
    text = file.read_text(encoding="utf-8")
    for old, new in {
        "name: other-rank": "name: lost-rank",
        "symptom: hang": "sympton: hang",
        "severity: warning": "severity: wrning",
        "  reason: it is a guess\n": "",
        "references:": "rulekit: 99\nreferences:",
    }.items():
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RuleFileError) as caught:
        read_rule_file(file)
    assert [mistake.removeprefix(f"{file}:") for mistake in caught.value.mistakes] == [
        "2: `name`: `lost-rank` does not fit its folder `other_rank`",
        "6: `sympton`: unknown key `sympton` (did you mean `symptom`?)",
        "8: `severity`: unknown value `wrning` (did you mean `warning`?)",
        "15: `fix.reason`: must say why the fix is not safe",
        f"22: `rulekit`: the rule was written for version 99 of ddl_lint.rulekit, and this ddl-lint has {API_VERSION}",
    ]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"- 1\n", b"\x00"])
def test_what_is_no_rule_file_at_all(add_rule_folder, content):
    file = add_rule_folder() / "rule.yaml"
    file.write_bytes(content)
    with pytest.raises(RuleFileError):
        read_rule_file(file)


def test_the_engines_own_rules():
    rules = [rule_info(data) for data in read_engine_rules(ENGINE_RULES)]
    assert [rule.code for rule in rules] == [f"DDL00{number}" for number in range(1, 7)]
    assert all(rule.is_engine for rule in rules)


def test_a_mistake_in_the_engines_own_rules(tmp_path):
    file = tmp_path / "rules.yaml"
    file.write_text("- code: DDL001\n  nme: x\n", encoding="utf-8")
    with pytest.raises(RuleFileError, match=r"rules.yaml:2: `\[0\].nme`: unknown key `nme`"):
        read_engine_rules(file)
