"""Which findings of a file are shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ddl_lint.finding import Finding, RuleFinding
from ddl_lint.project.config import Settings
from ddl_lint.project.selectors import KnownRules
from ddl_lint.project.suppress import shown_findings
from ddl_lint.registry.rule_file import rule_info
from ddl_lint.registry.rules import Rule
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location
from ddl_lint.source.suppressions import expiry, find_suppressions


def described(code: str, name: str) -> dict[str, Any]:
    """What a `rule.yaml` holds."""
    return {
        **{"code": code, "name": name, "summary": "It", "frameworks": ["pytorch"], "stage": "training"},
        **{"symptom": "hang", "consequence": "hang", "fix_pattern": "use tmux", "severity": "error"},
        **{"confidence": "high", "lifecycle": "stable", "since": "0.1.0", "covers": [], "why": "Because."},
        **{"fix": {"kind": "none", "advice": "Do.", "applicability": "none"}, "silent_when": [], "references": []},
    }


RULES = [
    ("DDL004", "unused-suppression"),
    ("DDL005", "malformed-suppression"),
    ("DDL201", "lost-rank"),
    ("DDL202", "slow-rank"),
    ("DDL301", "small-talk"),
]
KNOWN = KnownRules([Rule(rule_info(described(code, name))) for code, name in RULES])
ALL = [code for code, _ in RULES]


def shown(text: str, *, active: list[str] = ALL, settings: Settings | None = None, path: str = "/p/a.py") -> list[str]:
    """`line: code` of what is shown, where each `FAULT(201)` is a finding of DDL201."""
    document = Document(path, text)
    findings = []
    for code in active:
        start = -1
        while (start := text.find(f"FAULT({code[3:]})", start + 1)) >= 0:
            findings.append(RuleFinding(code, Finding("x", Location(path, start, start + 5))))
    result = shown_findings(
        findings, document, find_suppressions(document), settings or Settings(), known=KNOWN, active=active
    )
    return [f"{document.position(finding.location.start)[0]}: {finding.code}" for finding in result]


@pytest.mark.parametrize(
    "comment",
    [
        "# ddl-lint: ignore[lost-rank] we know",
        "# ddl-lint: ignore[DDL201]",
        "# ddl-lint: ignore[ddl201]",
        "# ddl-lint: ignore[lost_rank]",
        "# ddl-lint: ignore[Lost-Rank]",
        "# noqa: DDL201",
        "# noqa",
    ],
)
def test_names_and_codes_hide_a_finding(comment):
    assert shown(f"FAULT(201)  {comment}\n") == []


def test_other_findings_on_the_line_stay():
    assert shown("FAULT(201) + FAULT(202)  # ddl-lint: ignore[lost-rank]\n") == ["1: DDL202"]


def test_the_comment_above_and_the_comment_for_the_file():
    assert shown("# ddl-lint: ignore[lost-rank]\nFAULT(201)\nFAULT(201)\n") == ["3: DDL201"]
    assert shown("# ddl-lint: ignore-file[lost-rank]\nFAULT(201)\nFAULT(201)\n") == []


def test_all_lines_of_a_statement_belong_to_its_comment():
    assert shown("f(\n    FAULT(201),\n)  # ddl-lint: ignore[lost-rank]\n") == []


def test_unused_comments_are_found():
    assert shown("x = 1  # ddl-lint: ignore[lost-rank]\n") == ["1: DDL004"]
    assert shown("x = 1  # noqa: DDL201\n") == ["1: DDL004"]
    assert shown("x = 1  # noqa\n") == []


def test_of_several_rules_only_the_idle_one_is_named():
    document = Document("/p/a.py", "FAULT(201)  # ddl-lint: ignore[lost-rank, slow-rank]\n")
    finding = RuleFinding("DDL201", Finding("x", Location("/p/a.py", 0, 5)))
    [unused] = shown_findings([finding], document, find_suppressions(document), Settings(), known=KNOWN, active=ALL)
    assert unused.finding.message == "no finding of `slow-rank` to ignore here"
    assert document.text[unused.location.start : unused.location.end] == "slow-rank"


def test_two_comments_for_one_finding_are_both_used():
    assert shown("# ddl-lint: ignore[lost-rank]\nFAULT(201)  # noqa: DDL201\n") == []


def test_comments_for_rules_that_were_not_run_are_not_judged():
    assert shown("x = 1  # ddl-lint: ignore[lost-rank]\n", active=["DDL004", "DDL202"]) == []


def test_unused_comments_are_told_only_when_that_is_asked_for():
    assert shown("x = 1  # ddl-lint: ignore[lost-rank]\n", active=["DDL201"]) == []


def test_an_unknown_rule_gets_a_hint():
    document = Document("/p/a.py", "x = 1  # ddl-lint: ignore[lost-rnk]\n")
    [finding] = shown_findings([], document, find_suppressions(document), Settings(), known=KNOWN, active=ALL)
    assert (finding.code, finding.finding.message) == ("DDL005", "unknown rule `lost-rnk` (did you mean `lost-rank`?)")
    assert document.text[finding.location.start : finding.location.end] == "lost-rnk"


def test_a_malformed_comment_is_told_and_hides_nothing():
    assert shown("FAULT(201)  # ddl-lint: ignore\n") == ["1: DDL201", "1: DDL005"]


def test_findings_about_comments_can_be_hidden_too():
    assert shown("x = 1  # ddl-lint: ignore[lost-rank, unused-suppression]\n") == []


@pytest.mark.parametrize(
    ("ignores", "expected"),
    [
        ({"tests": ("ALL",)}, []),
        ({"tests/*.py": ("DDL2",)}, ["2: DDL301"]),
        ({"a.py": ("lost-rank", "DDL301")}, []),
        ({"src": ("ALL",)}, ["1: DDL201", "2: DDL301"]),
        ({"!src": ("DDL2",)}, ["2: DDL301"]),
        ({"!tests": ("ALL",)}, ["1: DDL201", "2: DDL301"]),
        ({"tests": ("DDL2",), "*.py": ("DDL3",)}, []),
    ],
)
def test_per_file_ignores(ignores, expected):
    root = Path("/p").absolute()
    settings = Settings(per_file_ignores=ignores, root=root)
    assert shown("FAULT(201)\nFAULT(301)\n", settings=settings, path=(root / "tests" / "a.py").as_posix()) == expected


def test_a_comment_for_a_rule_that_is_ignored_here_is_not_judged():
    root = Path("/p").absolute()
    settings = Settings(per_file_ignores={"*.py": ("DDL201",)}, root=root)
    assert shown("FAULT(201)  # noqa: DDL201\n", settings=settings, path=(root / "a.py").as_posix()) == []


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("# ddl-lint: ignore[DDL201] until 2031-05-01: the launcher changes", []),
        ("# ddl-lint: ignore[DDL201] until 2031-05-02", []),
        ("# ddl-lint: ignore[DDL201] until 2031-04-30: the launcher changes", ["1: DDL201", "1: DDL005"]),
        ("# ddl-lint: ignore[DDL201] until 2031-13-01: the launcher changes", ["1: DDL201", "1: DDL005"]),
        ("# ddl-lint: ignore[DDL201] until the launcher changes", []),
    ],
)
def test_a_comment_that_ends(comment, expected, monkeypatch):
    monkeypatch.setattr("ddl_lint.project.suppress.today", lambda: "2031-05-01")
    assert shown(f"FAULT(201)  {comment}\n") == expected


def test_a_reason_that_is_wanted():
    settings = Settings(require_reason=True)
    text = (
        "FAULT(201)  # ddl-lint: ignore[DDL201]\n"
        "FAULT(201)  # ddl-lint: ignore[DDL201] one process\n"
        "FAULT(201)  # noqa: DDL201\n"
        "FAULT(201)  # ddl-lint: ignore[DDL201] until 2999-01-01\n"
    )
    assert shown(text, settings=settings) == [
        *("1: DDL201", "3: DDL201", "4: DDL201"),
        *("1: DDL005", "3: DDL005", "4: DDL005"),
    ]


def test_what_is_enforced_needs_a_reason_and_no_file_drops_it():
    settings = Settings(enforce=("DDL2",), per_file_ignores={"*.py": ("ALL",)}, root=Path("/p"))
    text = "FAULT(201)\nFAULT(201)  # ddl-lint: ignore[DDL201]\nFAULT(202)  # ddl-lint: ignore[DDL202] ok\nFAULT(301)\n"
    assert shown(text, settings=settings) == ["1: DDL201", "2: DDL201"]


def test_the_first_day_that_counts(monkeypatch):
    monkeypatch.setattr("ddl_lint.source.suppressions.today", lambda: "2031-05-01")
    comments = "".join(
        f"x()  # ddl-lint: ignore[DDL201] until {day}\n" for day in ("2031-06-01", "2031-05-01", "2030-01-01")
    )
    assert expiry(find_suppressions(Document("/p/a.py", comments))) == "2031-05-01"
    assert expiry(find_suppressions(Document("/p/a.py", "x()\n"))) == ""
