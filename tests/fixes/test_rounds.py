"""Rounds of fixes: until nothing changes, with what went wrong taken back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability, Confidence, Edit, Evidence, Fix, Severity
from ddl_lint.fixes.rounds import MAX_ROUNDS, Texts, until_stable
from ddl_lint.source import Document, Location, document_from_text


@dataclass
class Report:
    findings: list[Diagnostic]
    documents: dict[str, Document]


def diagnostic(name: str, message: str, place: Location, **fields: Any) -> Diagnostic:
    return Diagnostic("DDL201", name, message, place, Severity.ERROR, Confidence.HIGH, **fields)


@dataclass
class Words:
    """A check that finds words in one file, each with the text that is to take its place; None for no fix."""

    text: str
    replacements: dict[str, str | None]
    checks: list[str] = field(default_factory=list)

    def __call__(self, texts: Texts) -> Report:
        document = document_from_text("a.py", texts.get("a.py", self.text))
        self.checks.append(document.text)
        findings: list[Diagnostic] = []
        for word, new in self.replacements.items():
            for match in re.finditer(rf"\b{word}\b", document.text):
                place = Location("a.py", *match.span())
                fix = None if new is None else Fix(word, (Edit(place, new),), Applicability.SAFE)
                findings.append(diagnostic(word, f"found {word}", place, fix=fix))
        return Report(findings, {"a.py": document})

    def run(self, accept=lambda finding, texts: True):
        return until_stable(self, self({}), lambda path: self.text if path == "a.py" else None, accept)


def test_fixes_lead_to_fixes():
    mended, last = Words("x = one\n", {"one": "two", "two": "three"}).run()
    assert mended.texts == {"a.py": "x = three\n"}
    assert [finding.name for finding in mended.fixed] == ["one", "two"]
    assert mended.is_stable
    assert not mended.failures
    assert not last.findings


def test_nothing_to_fix_changes_nothing():
    words = Words("x = one\n", {"one": None})
    mended, last = words.run()
    assert not mended.texts
    assert len(last.findings) == 1
    assert len(words.checks) == 1


def test_a_file_that_no_longer_parses_is_taken_back_and_the_others_stay_fixed():
    mended, last = Words("x = one\ny = two\n", {"one": "(", "two": "2"}).run()
    assert mended.texts == {"a.py": "x = one\ny = 2\n"}
    assert [(failure.finding.name, failure.reason) for failure in mended.failures] == [
        ("one", "the file could not be parsed afterwards")
    ]
    assert [finding.name for finding in last.findings] == ["one"]


def test_of_fixes_that_are_good_apart_the_first_is_made():
    """A block may lose one statement or the other."""
    mended, _ = Words("if x:\n    one\n    two\n", {"one": "", "two": ""}).run()
    assert mended.texts == {"a.py": "if x:\n    \n    two\n"}
    assert [failure.finding.name for failure in mended.failures] == ["two"]  # in the next round, by itself


def test_a_fix_that_does_not_help_is_taken_back():
    mended, last = Words("x = one\ny = two\n", {"one": "(one)", "two": "2"}).run()
    assert mended.texts == {"a.py": "x = one\ny = 2\n"}
    assert [failure.reason for failure in mended.failures] == ["the finding was still there afterwards"]
    assert len(last.findings) == 1


def test_fixes_that_undo_each_other_come_to_an_end():
    words = Words("x = one\n", {"one": "two", "two": "one"})
    mended, _ = words.run()
    assert not mended.is_stable
    assert len(mended.fixed) < MAX_ROUNDS


def test_another_fault_at_the_same_place_is_another_finding():
    """A helper is called by two scripts: each call is mended in its own round."""

    def check(texts: Texts) -> Report:
        documents = {path: document_from_text(path, texts.get(path, text)) for path, text in files.items()}
        calls = [path for path in ("a.py", "b.py") if "ready" not in documents[path].text]
        findings = [
            diagnostic(
                "lost-rank",
                "not ready",
                Location("helper.py", 0, 4),
                evidence=(Evidence("called from here", Location(path, 0, 4)),),
                fix=Fix("Be ready", (Edit(Location(path, 0, 0), "ready\n"),), Applicability.SAFE),
            )
            for path in calls[:1]
        ]
        return Report(findings, documents)

    files = {"helper.py": "help\n", "a.py": "call\n", "b.py": "call\n"}
    mended, last = until_stable(check, check({}), files.get, lambda finding, texts: True)
    assert not mended.failures
    assert mended.texts == {"a.py": "ready\ncall\n", "b.py": "ready\ncall\n"}
    assert not last.findings


def test_a_broken_file_is_still_mended_elsewhere():
    mended, _ = Words("x = one\ndef :\n", {"one": "1"}).run()
    assert mended.texts == {"a.py": "x = 1\ndef :\n"}
    assert not mended.failures


def test_what_is_not_accepted_stays():
    mended, last = Words("x = one\ny = two\n", {"one": "1", "two": "2"}).run(lambda finding, _: finding.name == "two")
    assert mended.texts == {"a.py": "x = one\ny = 2\n"}
    assert [finding.name for finding in last.findings] == ["one"]
