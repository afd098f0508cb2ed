"""The service for the command line and the language server: a request in, an answer out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session
from ddl_lint.crash import reason
from ddl_lint.project.discover import Problem
from ddl_lint.timing import stage

if TYPE_CHECKING:
    from ddl_lint.check.changes import Changes


@dataclass(frozen=True)
class Answer:
    """What became of a request."""

    report: Report
    """What was found in the files as they were."""

    problems: Sequence[Problem]
    """What kept us from doing what was asked: that of the report, and what went wrong with its task."""

    changes: Changes | None = None
    """What the task has made of the files; None without a task, or if it failed: then no file was changed."""


def answer(session: Session, request: Request) -> Answer:
    """Check files, and do what is asked about what is found."""
    report = session.check(request)
    if request.task is None:
        return Answer(report, report.problems)
    if not report.is_whole:  # what has not been checked may forbid a fix
        message = "the check did not come to its end, so no file was changed"
        return Answer(report, [*report.problems, Problem("", message)])
    problems = [*report.problems]
    try:
        with stage("fixes"):
            changes = _changes(session, request, report, problems)
    except Exception as error:
        message = f"making the fixes failed, and no file was changed: {reason(error)}; please report this"
        return Answer(report, [*report.problems, Problem("", message)])
    return Answer(report, problems, changes)


def _changes(session: Session, request: Request, report: Report, problems: list[Problem]) -> Changes | None:
    from ddl_lint.check import fixing  # brings in what can edit programs
    from ddl_lint.fixes.unfixable import Unfixable
    from ddl_lint.fixes.write import WriteError

    assert request.task is not None
    changes = fixing.make_changes(session, request, request.task, report)
    problems += changes.problems
    if request.task.writes:
        try:
            changes.write()
        except (WriteError, Unfixable) as error:
            problems.append(Problem("", str(error)))
            return None
    return changes
