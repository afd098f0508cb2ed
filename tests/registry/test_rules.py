"""How rules are found and chosen."""

from __future__ import annotations

import importlib
import subprocess
import sys
from dataclasses import replace

import pytest

from ddl_lint import distributions
from ddl_lint.check.selection import is_shown, select_rules, severity_of
from ddl_lint.finding import Confidence, Finding, Severity
from ddl_lint.project.config import Settings
from ddl_lint.project.selectors import groups, unknown_selector
from ddl_lint.registry.rule_file import RuleFileError
from ddl_lint.registry.rules import ENTRY_POINTS, installed, load_rules, nearest_rule
from ddl_lint.source.span import Location


@pytest.fixture
def pack(package, monkeypatch):
    """The made-up package, installed: importable, and the only one that is registered."""
    entry = distributions.EntryPoint("pack", "made_up_rules", "pack")
    monkeypatch.setattr(distributions, "entry_points", lambda group: [entry] if group == ENTRY_POINTS else [])
    monkeypatch.syspath_prepend(str(package.parent))
    yield package
    for name in [name for name in sys.modules if name.split(".")[0] == "made_up_rules"]:
        del sys.modules[name]


@pytest.fixture
def rules(pack, add_rule_folder):
    add_rule_folder("DDL401", "lost-rank", "symptom: hang", "symptom: hang\nconsequence: hang")
    add_rule_folder("DDL402", "odd-rank", "confidence: high", "confidence: medium")
    add_rule_folder("DDL403", "new-rank", "lifecycle: stable", "lifecycle: preview")
    add_rule_folder("DDL404", "old-rank", "lifecycle: stable", "lifecycle: deprecated")
    return load_rules()


def on(rules, **settings) -> str:
    """The last digits of the codes that are on, the engine's own left out."""
    chosen = select_rules(rules, Settings(**settings))
    return "".join(rule.code[-1] for rule in chosen if not rule.info.is_engine)


def test_rules_are_found_by_entry_point_without_importing_them(rules):
    assert [rule.code for rule in rules][-4:] == ["DDL401", "DDL402", "DDL403", "DDL404"]
    assert "made_up_rules" not in sys.modules


def test_a_fix_is_imported_when_it_is_made(pack, add_rule_folder):
    rule_folder = add_rule_folder()
    for folder in (rule_folder, rule_folder.parent):
        (folder / "__init__.py").touch()
    fixes = "made_up_rules.training.lost_rank.fix"
    told = f"from {fixes} import LIMIT, fix\n\n\ndef check(run):\n    return [fix(run, LIMIT)] if run else []\n"
    (rule_folder / "check.py").write_text(told.replace("LIMIT, ", "").replace("LIMIT", "more=1"), encoding="utf-8")
    (rule_folder / "fix.py").write_text("LIMIT = 3\n\n\ndef fix(run, more):\n    return run + more\n", encoding="utf-8")
    rule = load_rules()[-1]
    assert rule.check(0) == []
    assert fixes not in sys.modules
    assert rule.check(1) == [2]
    assert fixes in sys.modules

    del sys.modules[fixes], sys.modules["made_up_rules.training.lost_rank.check"]
    (rule_folder / "check.py").write_text(told, encoding="utf-8")
    importlib.invalidate_caches()
    assert rule.check(1) == [4]  # a constant is the constant itself


def test_the_check_is_imported_when_asked_for(pack, add_rule_folder):
    rule_folder = add_rule_folder()
    rule = load_rules()[-1]
    assert not rule.has_check
    with pytest.raises(ImportError):
        _ = rule.check
    for folder in (rule_folder, rule_folder.parent):
        (folder / "__init__.py").touch()
    (rule_folder / "check.py").write_text("def check(project):\n    return [project]\n", encoding="utf-8")
    assert rule.has_check
    assert rule.check("found") == ["found"]


def test_a_registered_package_that_is_missing(monkeypatch):
    entry = distributions.EntryPoint("pack", "not_there_rules", "pack")
    monkeypatch.setattr(distributions, "entry_points", lambda group: [entry])
    with pytest.raises(RuleFileError, match="`pack` is registered but not installed"):
        load_rules()


def test_a_rule_with_a_mistake_is_left_out_and_may_still_be_named(pack, add_rule_folder):
    add_rule_folder("DDL401", "lost-rank")
    add_rule_folder("DDL402", "odd-rank", "symptom: hang", "symptom: hung")
    found = installed()
    assert [rule.name for rule in found.rules if not rule.info.is_engine] == ["lost-rank"]
    assert [rule.name for rule in found.left_out] == ["odd-rank"]
    assert "unknown value `hung`" in found.mistakes[0]
    assert unknown_selector(["odd-rank", "DDL402"], found.known) is None
    assert not any(rule.has_check for rule in found.left_out)
    with pytest.raises(RuleFileError, match="unknown value `hung`"):
        load_rules()


def test_a_missing_package_costs_the_others_nothing(pack, add_rule_folder, monkeypatch):
    add_rule_folder("DDL401", "lost-rank")
    entries = [distributions.EntryPoint(name, name, name) for name in ("made_up_rules", "not_there_rules", "not.there")]
    monkeypatch.setattr(distributions, "entry_points", lambda group: entries)
    assert [rule.name for rule in installed().rules if not rule.info.is_engine] == ["lost-rank"]
    assert [mistake.partition(":")[0] for mistake in installed().mistakes] == ["not_there_rules", "not.there"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "12"),
        ({"pedantic": True}, "12"),
        ({"preview": True}, "123"),
        ({"select": ()}, ""),
        ({"select": ("DDL4",)}, "12"),
        ({"select": ("ALL",), "preview": True}, "123"),
        ({"select": ("DDL",)}, "12"),
        ({"select": ("DDL403", "old-rank")}, "34"),
        ({"extend_select": ("odd-rank",)}, "12"),
        ({"ignore": ("lost-rank",)}, "2"),
        ({"ignore": ("DDL4",), "extend_select": ("DDL402",)}, "2"),
        ({"ignore": ("DDL401",), "select": ("DDL40",)}, "2"),
        ({"ignore": ("DDL40",), "select": ("DDL4",)}, ""),
        ({"ignore": ("DDL4",), "select": ("DDL40",)}, "12"),
        ({"ignore": ("lost-rank",), "select": ("DDL401",)}, ""),
        ({"ignore": ("ALL",)}, ""),
        ({"ignore": ("ALL",), "extend_select": ("lost-rank",)}, "1"),
        ({"select": ("ddl4",)}, "12"),
        ({"select": ("lost_rank", "ddl403")}, "13"),
        ({"ignore": ("Lost_Rank",)}, "2"),
    ],
)
def test_selection(rules, settings, expected):
    assert on(rules, **settings) == expected


@pytest.fixture
def grouped(pack, add_rule_folder):
    """Rules of several consequences and frameworks."""
    for code, name, consequence, frameworks in (
        ("DDL401", "lost-rank", "hang", "pytorch"),
        ("DDL402", "odd-rank", "hang", "pytorch, horovod"),
        ("DDL403", "new-rank", "wrong-result", "horovod"),
        ("DDL504", "old-rank", "data-loss", "tensorflow"),
    ):
        rule_folder = add_rule_folder(
            code, name, "frameworks: [pytorch]", f"frameworks: [{frameworks}]\nconsequence: {consequence}"
        )
        assert rule_folder.is_dir()
    return load_rules()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"select": ("hang",)}, "12"),
        ({"select": ("Wrong_Result", "data-loss")}, "34"),
        ({"select": ("horovod",)}, "23"),
        ({"ignore": ("hang",)}, "34"),
        ({"ignore": ("horovod",)}, "124"),  # what holds for PyTorch as well stays
        ({"ignore": ("horovod", "pytorch")}, "4"),
        ({"select": ("hang",), "ignore": ("horovod",)}, "12"),
        ({"select": ("horovod",), "ignore": ("hang",)}, "3"),
        ({"select": ("horovod",), "ignore": ("DDL4",)}, ""),
        ({"select": ("DDL4",), "ignore": ("hang",)}, "3"),
        ({"select": ("hang",), "ignore": ("DDL402",)}, "1"),
        ({"select": ("DDL40",), "ignore": ("hang",)}, "123"),
        ({"select": ("ALL",), "ignore": ("hang",)}, "34"),
        ({"ignore": ("hang",), "extend_select": ("odd-rank",)}, "234"),
    ],
)
def test_groups(grouped, settings, expected):
    assert on(grouped, **settings) == expected


def test_severities_of_groups(grouped):
    severity = {"hang": Severity.ERROR, "odd_rank": Severity.INFO, "DDL40": Severity.WARNING, "horovod": Severity.INFO}
    severities = [severity_of(rule, Settings(severity=severity)) for rule in grouped if not rule.info.is_engine]
    assert severities == [Severity.WARNING, Severity.INFO, Severity.WARNING, Severity.WARNING]
    without = {"hang": Severity.ERROR, "horovod": Severity.INFO}
    severities = [severity_of(rule, Settings(severity=without)) for rule in grouped if not rule.info.is_engine]
    assert severities == [Severity.ERROR, Severity.ERROR, Severity.INFO, Severity.WARNING]


def test_the_groups_there_are(grouped):
    found = {name: [rule.code for rule in members] for name, members in groups(grouped).items()}
    assert list(found) == ["hang", "wrong-result", "data-loss", "horovod", "pytorch", "tensorflow"]
    assert found["hang"] == found["pytorch"] == ["DDL401", "DDL402"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, False),
        ({"pedantic": True}, True),
        ({"select": ("DDL4",)}, True),
        ({"extend_select": ("lost-rank",)}, True),
        ({"preview": True}, False),
    ],
)
def test_a_finding_that_is_less_sure_than_its_rule(rules, settings, expected):
    rule = next(rule for rule in rules if rule.name == "lost-rank")
    finding = Finding("it may wait", Location("a.py", 0, 1))
    assert is_shown(rule, finding, Settings(**settings))
    assert is_shown(rule, replace(finding, confidence=Confidence.MEDIUM), Settings(**settings)) is expected


def test_the_engines_own_rules_are_on_unless_ignored(rules):
    def engine(**settings) -> list[str]:
        return [rule.name for rule in select_rules(rules, Settings(**settings)) if rule.info.is_engine]

    assert len(engine()) == len(engine(select=("lost-rank",))) == 6
    assert "unused-suppression" not in engine(ignore=("DDL004",))
    assert engine(ignore=("ALL",)) == []


def test_severity(rules):
    rule = rules[-1]
    assert severity_of(rule, Settings()) is Severity.WARNING
    assert severity_of(rule, Settings(severity={"old-rank": Severity.INFO})) is Severity.INFO
    assert severity_of(rule, Settings(severity={"DDL404": Severity.ERROR})) is Severity.ERROR


@pytest.mark.parametrize("settings", [{"pedantic": True}, {"select": ("DDL4",)}, {"extend_select": ("lost-rank",)}])
def test_what_people_do_not_act_on_is_a_hint(rules, settings):
    rule = next(rule for rule in rules if rule.name == "lost-rank")
    unsure = replace(rule, info=replace(rule.info, confidence=Confidence.MEDIUM))
    in_part = replace(unsure, info=replace(unsure.info, sure_errors=True))
    finding = Finding("a", Location("a.py", 0, 0))
    assert is_shown(unsure, finding, Settings())
    for own in (Severity.ERROR, Severity.WARNING):
        assert severity_of(unsure, Settings(), own) is Severity.INFO
        assert severity_of(unsure, Settings(**settings), own) is own
        assert severity_of(in_part, Settings(), own) is (own if own is Severity.ERROR else Severity.INFO)
    assert severity_of(unsure, Settings(severity={"lost-rank": Severity.ERROR})) is Severity.ERROR


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [
        (["ALL", "DDL", "DDL4", "DDL401", "lost-rank", "syntax-error"], None),
        (["all", "ddl", "ddl4", "ddl401", "lost_rank", "Lost-Rank"], None),
        (["hang", "HANG", "pytorch"], None),
        (["lost_rnk"], ("lost_rnk", "unknown rule `lost_rnk` (did you mean `lost-rank`?)")),
        (["DDL409"], ("DDL409", "unknown rule `DDL409` (did you mean `DDL404`?)")),
        (["ddl409"], ("ddl409", "unknown rule `ddl409` (did you mean `DDL404`?)")),
        (["hangs"], ("hangs", "unknown rule `hangs` (did you mean `hang`?)")),
        (["pytroch"], ("pytroch", "unknown rule `pytroch` (did you mean `pytorch`?)")),
        (["DD"], ("DD", "unknown rule `DD`")),
        (["crash"], ("crash", "unknown rule `crash`")),
        (["DDL9"], ("DDL9", "unknown rule `DDL9`")),
        (["zzz"], ("zzz", "unknown rule `zzz`")),
        ([""], ("", "unknown rule ``")),
    ],
)
def test_unknown_selectors(rules, selectors, expected):
    assert unknown_selector(selectors, rules) == expected


def test_hints_for_rules(rules):
    assert nearest_rule("lost-rnk", rules) == " (did you mean `lost-rank`?)"


def test_rules_and_explain_do_without_a_check(tmp_path):
    for command in (["rules"], ["explain", "DDL201"]):
        result = subprocess.run(
            [sys.executable, "-m", "ddl_lint", *command], capture_output=True, encoding="utf-8", timeout=60
        )
        assert result.returncode == 0, result.stderr
