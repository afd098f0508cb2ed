"""The worker finds what the command line does, and its edits make what `--fix` makes: on all faulty programs."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from lsprotocol import types

import ddl_lint_rules
from ddl_lint.check.engine import check_project
from ddl_lint.check.report import Report
from ddl_lint.finding import Applicability
from ddl_lint.fixes.texts import edited_source
from ddl_lint.project.config import resolve
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import load_rules
from ddl_lint.source import ColumnUnit, Document
from ddl_lint_server.checker import Checker
from ddl_lint_server.messages import Change, Changes, Check, FixAll, Found, Outcome, Text, Update, Workspace
from ddl_lint_server.places import differences
from ddl_lint_server.texts import offset_at

pytestmark = pytest.mark.slow

RULE_FOLDERS = sorted(
    file.parent
    for file in Path(ddl_lint_rules.__file__).parent.glob("*/*/rule.yaml")
    if any((file.parent / "bad").rglob("*.py"))
)
RULES = load_rules()
PREFIX = "# \f 🚀 läuft\n"
"""Put above each program, so that neither units nor lines may be mixed up."""


def made(document: Document, changes: Sequence[Change], unit: ColumnUnit) -> str:
    """The text of a document with changes made, as an editor makes them."""
    text = document.text
    spans = [
        (
            offset_at(document, types.Position(change.place.start_line, change.place.start_column), unit),
            offset_at(document, types.Position(change.place.end_line, change.place.end_column), unit),
            change.text,
        )
        for change in changes
    ]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize("rule_folder", RULE_FOLDERS, ids=lambda rule_folder: rule_folder.name)
def test_the_worker_agrees_with_the_command_line(rule_folder: Path, tmp_path: Path):
    folder = tmp_path / "bad"
    shutil.copytree(rule_folder / "bad", folder)
    (folder / "ddl-lint.toml").write_text("preview = true\npedantic = true\n")
    for file in folder.rglob("*.py"):
        file.write_text(PREFIX + file.read_text(encoding="utf-8"), encoding="utf-8")
    files = discover([folder], resolve).files
    report = check_project(files, resolve, RULES)
    unit = list(ColumnUnit)[len(rule_folder.name) % 3]

    checker = Checker(RULES)
    # What is open counts, and not what is on the disk.
    texts = {file.as_posix(): Text(1, file.read_text(encoding="utf-8"), True) for file in files}
    for file in files:
        if file.suffix == ".py":  # versions are read from the disk
            file.write_text("print('something else')\n")
    checker.update(Update(texts, Workspace(unit, (tmp_path.as_posix(),)), True))
    outcome = checker.answer(Check(next(iter(texts)), False))
    assert isinstance(outcome, Outcome) and outcome.files.keys() == texts.keys()
    for path, checked in outcome.files.items():
        expected = [finding for finding in report.findings if finding.location.path == path]
        assert [(each.code, each.message) for each in checked.found] == [(f.code, f.message) for f in expected]
        for number, found in enumerate(checked.found):
            _same_fix(report, number, path, found, unit)

    # The order in which documents are opened, or asked about, does not matter.
    other = Checker(RULES)
    other.update(Update(dict(reversed(texts.items())), Workspace(unit, (tmp_path.as_posix(),)), True))
    again = other.answer(Check(list(texts)[-1], False))
    assert isinstance(again, Outcome)
    assert {path: each.digest for path, each in again.files.items()} == {
        path: each.digest for path, each in outcome.files.items()
    }


def _same_fix(report: Report, number: int, path: str, found: Found, unit: ColumnUnit) -> None:
    finding = [each for each in report.findings if each.location.path == path][number]
    fix = finding.fix
    if fix is None or fix.applicability is Applicability.DISPLAY_ONLY or not fix.edits:
        assert found.repair is None
        return
    assert found.repair is not None
    assert found.repair.is_safe == (fix.applicability is Applicability.SAFE)
    assert found.repair.is_safe or found.repair.reason
    for changed in {edit.location.path for edit in fix.edits}:
        document = report.documents[changed]
        edits = [edit for edit in fix.edits if edit.location.path == changed]
        expected = edited_source(document, document.text, edits)
        changes = [change for change in found.repair.changes if change.place.path == changed]
        # Of two edits at one place, the insertion comes first: the editor gets them in that order.
        if len({(change.place.start_line, change.place.start_column) for change in changes}) == len(changes):
            assert made(document, changes, unit) == expected


@pytest.mark.parametrize("rule_folder", RULE_FOLDERS[::3], ids=lambda rule_folder: rule_folder.name)
def test_all_safe_fixes_leave_none(rule_folder: Path, tmp_path: Path):
    folder = tmp_path / "bad"
    shutil.copytree(rule_folder / "bad", folder)
    (folder / "ddl-lint.toml").write_text("")
    checker = Checker(RULES)
    texts = {file.as_posix(): Text(1, file.read_text(encoding="utf-8"), True) for file in folder.rglob("*.py")}
    workspace = Workspace(ColumnUnit.UTF8, (tmp_path.as_posix(),))
    checker.update(Update(texts, workspace, True))
    for path, text in texts.items():
        changes = checker.answer(FixAll(path))
        assert isinstance(changes, Changes) and changes.stamp == 1
        after = made(Document(path, text.content), changes.changes, ColumnUnit.UTF8)
        checker.update(Update({path: Text(2, after, True)}, None, False))
        assert checker.answer(FixAll(path)) == Changes(2, ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("a\n", "a\n"),
        ("", "a\n"),
        ("a\n", ""),
        ("a\nb\nc\n", "a\nx\nc\n"),
        ("a\r\nb\r\n", "a\r\nb\r\nc"),
        ("a\nb\na\nb\n", "b\na\nb\na\n"),
        ("a\fb\n", "a\fc\n"),
    ],
)
def test_differences_make_one_text_from_another(before: str, after: str):
    text = before
    changes = list(differences(before, after))
    for start, end, new in reversed(changes):
        text = text[:start] + new + text[end:]
    assert text == after
    assert bool(changes) == (before != after)
