"""What is said of a check beside its findings: which files no rule reads, and what was followed only in part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.check.report import Report
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.output import programs
from ddl_lint.output.places import shown_name

_MOST = 3  # names in a line


def not_read(report: Report) -> Iterator[str]:
    """A line about the named files that no rule reads, if there are any."""
    count = len(report.unread)
    if count > 1:
        yield f"{count} files were not looked at because no rule reads them: {_some(map(shown_name, report.unread))}"
    for path in report.unread if count == 1 else ():
        is_job = is_job_file(path)
        reason = "says nothing of how a job is launched or configured" if is_job else "imports no known framework"
        yield f"{shown_name(path)} was not looked at: it {reason}"


def partly_followed(report: Report) -> Iterator[str]:
    """A line about the scripts that were not followed to their end, or in which a call may hide that ranks meet."""
    partial = [f"{name} ({reason})" for name, reason in programs.partly_followed(report.programs, report.documents)]
    if partial:
        more = "; run with --verbose for all" if len(partial) > _MOST else ""
        count = "1 script was" if len(partial) == 1 else f"{len(partial)} scripts were"
        yield f"{count} followed only in part: {_some(partial)}{more}"


def _some(names: Iterable[str]) -> str:
    names = list(names)
    more = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more} more" if more > 0 else "")
