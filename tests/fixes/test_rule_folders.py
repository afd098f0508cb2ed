"""The fixes of every rule that offers some: `bad/` becomes `good/`, and every fixed program is still a program."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from cases import Program, programs_of_rule
from ddl_lint.check.case_marks import without_marks
from ddl_lint.finding import Applicability, Fix
from ddl_lint.registry.rules import Rule, load_rules
from programs import mend_program, read_text

_RULES = [rule for rule in load_rules() if rule.folder is not None]
_FIXABLE = [rule for rule in _RULES if rule.info.fixable]
_FLAGGED = [
    pytest.param(rule, program, id=f"{rule.name}-{program.name}")
    for rule in _FIXABLE
    for program in programs_of_rule(rule.name, "flagged")
]


def _crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def _tabs(text: str) -> str:
    """Indentation by tabs, where a text is indented by fours and nothing is aligned to an opening bracket."""
    lines: list[str] = []
    for line in text.split("\n"):
        body = line.lstrip(" ")
        blanks = len(line) - len(body)
        lines.append("\t" * (blanks // 4) + " " * (blanks % 4) + body)
    return "\n".join(lines)


@pytest.mark.parametrize("rule", _FIXABLE, ids=lambda rule: rule.name)
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(str, id="as written"),
        *(pytest.param(each, id=name, marks=pytest.mark.slow) for name, each in (("crlf", _crlf), ("tabs", _tabs))),
    ],
)
def test_bad_becomes_good(rule: Rule, change: object, tmp_path: Path) -> None:
    assert rule.folder is not None
    assert callable(change)

    def changed(name: str, text: str) -> str:
        return change(without_marks(text)) if name.endswith(".py") else without_marks(text)

    mended = mend_program(rule.folder / "bad", tmp_path, changed)
    assert not mended.unfixable
    assert not mended.broken
    good = {file.relative_to(rule.folder / "good").as_posix(): file for file in (rule.folder / "good").rglob("*")}
    assert {name: changed(name, read_text(good[name])) for name in mended.texts} == mended.texts
    assert not mended.left


@pytest.mark.parametrize(("rule", "program"), _FLAGGED)
def test_fixes_of_flagged_programs(rule: Rule, program: Program, tmp_path: Path) -> None:
    """Nothing is left but what had no fix from the start, and nothing new has come."""
    mended = mend_program(program, tmp_path)
    left = Counter(mark.rule for mark in mended.left)
    assert left <= Counter(mark.rule for mark, _ in mended.unfixable)  # the fix of another finding may end one, too
    assert all(reason or not _is_fixable(mark.rule) for mark, reason in mended.unfixable)

    assert not mended.broken
    for name, fix in mended.fixes:
        _check_promises(name, fix)


def _check_promises(name: str, fix: Fix) -> None:
    """A fix is not safer than its rule says, tells why it is not safe, and what it does in the imperative."""
    promised = next(rule.info.fix for rule in _FIXABLE if rule.name == name)
    assert fix.applicability in (Applicability.SAFE, Applicability.UNSAFE)
    assert fix.applicability is Applicability.UNSAFE or promised.applicability == "safe"
    assert bool(fix.reason) is (fix.applicability is Applicability.UNSAFE)
    assert fix.pattern == next(rule.info.fix_pattern for rule in _FIXABLE if rule.name == name)
    assert re.fullmatch(r"[A-Z][^\n]*[^.]", fix.title)


def _is_fixable(name: str) -> bool:
    return any(rule.name == name for rule in _FIXABLE)
