"""What is done about findings: fixes are made, or comments put in that silence them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

from ddl_lint.check.changes import Changes, Files, Leftover
from ddl_lint.check.configuration import Resolver
from ddl_lint.check.report import Report
from ddl_lint.check.request import AddIgnores, Ask, MakeFixes, Request
from ddl_lint.check.session import Session
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability
from ddl_lint.fixes.apply import is_applicable
from ddl_lint.fixes.diff import unified_diff
from ddl_lint.fixes.ignore import ignoring
from ddl_lint.fixes.rounds import MAX_ROUNDS, Failure, Mended, Texts, key_of, until_stable
from ddl_lint.fixes.texts import edited_source
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.output.places import place_of, shown_name
from ddl_lint.project.discover import Problem
from ddl_lint.source import Document

Check = Callable[[Texts], Report]
"""Checks the files, with these texts in place of their content."""


def make_changes(session: Session, request: Request, task: MakeFixes | AddIgnores, report: Report) -> Changes:
    """Do what is asked about what was found in the files of a request; nothing is written."""
    only = task.only if isinstance(task, MakeFixes) else None

    def check(texts: Texts) -> Report:
        return _within(only, session.check(replace(request, overlay={**request.overlay, **texts})))

    paths = only if only is not None else {path.as_posix() for path in request.paths}
    files = Files(paths, request.overlay, report.documents)
    if isinstance(task, AddIgnores):
        texts, last = add_ignores(check, report, files)
        return Changes(files, texts, last)
    settings_for = Resolver(request.configuration, session.rules)

    def level(finding: Diagnostic) -> Applicability:
        if task.level is not None:
            return task.level
        with_unsafe = settings_for(Path(finding.location.path)).unsafe_fixes
        return Applicability.UNSAFE if with_unsafe else Applicability.SAFE

    mended, last = mend(check, _within(only, report), files, level, task.ask)
    problems = [_taken_back(failure, report) for failure in mended.failures]
    if not mended.is_stable:
        message = f"after {MAX_ROUNDS} rounds of fixes there was still something to fix; please report this"
        problems.append(Problem("", message))
    return Changes(files, mended.texts, last, mended.fixed, leftover(last, mended, files, level), problems)


def _within(paths: Collection[str] | None, report: Report) -> Report:
    """A report with what was found in these files only."""
    if paths is None:
        return report
    return replace(report, findings=[each for each in report.findings if each.location.path in paths])


def _taken_back(failure: Failure, report: Report) -> Problem:
    finding = failure.finding
    title = finding.fix.title if finding.fix else finding.name
    message = f"the fix of {finding.name} ({title}) was undone: {failure.reason}; please report this"
    return Problem(place_of(finding.location, report.documents).head, message)


def mend(
    check: Check, report: Report, files: Files, level: Callable[[Diagnostic], Applicability], ask: Ask | None = None
) -> tuple[Mended, Report]:
    """Apply the fixes up to the level of each finding until nothing changes; nothing is written.

    With `ask`, each fix is applied only where it says so; a fix is asked for once.
    """
    answers: dict[object, bool] = {}
    current = [report]

    def accept(finding: Diagnostic, texts: Texts) -> bool:
        if not is_applicable(finding.fix, level(finding)) or elsewhere(finding, files):
            return False
        if ask is None:
            return True
        key = key_of(finding, current[0].documents)
        if key not in answers:
            difference = _difference(finding, current[0].documents, files, texts)
            answers[key] = difference is not None and ask(finding, current[0].documents, difference)
        return answers[key]

    def again(texts: Texts) -> Report:
        current[0] = check(texts)
        return current[0]

    mended, last = until_stable(again, report, files.text, accept)
    assert isinstance(last, Report)
    return mended, last


def elsewhere(finding: Diagnostic, files: Files) -> list[str]:
    """The files that a fix would change and that may not be changed."""
    edits = finding.fix.edits if finding.fix is not None else ()
    return sorted({edit.location.path for edit in edits if files.text(edit.location.path) is None})


def _difference(finding: Diagnostic, documents: Mapping[str, Document], files: Files, texts: Texts) -> str | None:
    """What a fix changes; None where it cannot be made."""
    if finding.fix is None:
        return None
    parts: list[str] = []
    for path in dict.fromkeys(edit.location.path for edit in finding.fix.edits):
        before = texts.get(path, files.text(path))
        if before is None:
            return None
        edits = [edit for edit in finding.fix.edits if edit.location.path == path]
        try:
            after = edited_source(documents[path], before, edits)
        except Unfixable:
            return None
        parts.append(unified_diff(path, shown_name(path), before, after))
    return "".join(parts)


UNIGNORABLE = frozenset({"DDL001", "DDL002", "DDL003", "DDL004", "DDL005"})
"""Findings that no comment should excuse: what cannot be read, and comments that excuse nothing."""


def add_ignores(check: Check, report: Report, files: Files) -> tuple[dict[str, str], Report]:
    """Put suppression comments in for all findings; nothing is written.

    Returns:
        The texts that have changed, and the outcome of a check of them: what is still found could not be silenced.
    """
    by_path: dict[str, list[tuple[int, str]]] = {}
    for finding in report.findings:
        if finding.code not in UNIGNORABLE:
            by_path.setdefault(finding.location.path, []).append((finding.location.start, finding.name))
    texts: dict[str, str] = {}
    for path, found in by_path.items():
        text, document = files.text(path), report.documents.get(path)
        if text is not None and document is not None:
            texts[path] = edited_source(document, text, ignoring(document, found))
    return texts, check(texts)


def leftover(report: Report, mended: Mended, files: Files, level: Callable[[Diagnostic], Applicability]) -> Leftover:
    """Why each finding is left."""
    failed = {key_of(failure.finding, report.documents) for failure in mended.failures}
    unsafe: list[Diagnostic] = []
    declined: list[Diagnostic] = []
    other: list[Diagnostic] = []
    without: list[Diagnostic] = []
    for finding in report.findings:
        if is_applicable(finding.fix, Applicability.UNSAFE) and elsewhere(finding, files):
            other.append(finding)
        elif is_applicable(finding.fix, level(finding)):
            if key_of(finding, report.documents) not in failed:
                declined.append(finding)
        elif is_applicable(finding.fix, Applicability.UNSAFE):
            unsafe.append(finding)
        else:
            without.append(finding)
    return Leftover(unsafe, other, declined, mended.failures, without)
