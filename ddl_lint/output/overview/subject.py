"""What the page is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.output.job_rows import Row
from ddl_lint.output.trace import Links
from ddl_lint.program.followed import Coverage
from ddl_lint.source.document import Document


@dataclass(frozen=True)
class Subject:
    """A check, and what was looked at beside it."""

    name: str
    """Of the folder, or of what was checked."""

    version: str
    """Of ddl-lint."""

    findings: Sequence[Diagnostic]
    documents: Mapping[str, Document]
    files: int
    programs: Sequence[Coverage]
    launches: Sequence[Row]
    traces: Sequence[Communication] = ()
    """Of the scripts, and of functions in which ranks do not meet and that no script reaches."""

    without_trace: int = 0
    """How many scripts and findings were not drawn, as there are so many."""

    unread: Sequence[str] = ()
    problems: Sequence[tuple[str, str]] = ()
    """What could not be read: the path, and why."""

    job: str = ""
    """What became of a job, by its logs, as HTML that is escaped; empty where no logs are given."""

    links: Links | None = None
    revision: str = ""
    """The commit that is checked out."""

    command: str = ""
    """What was typed."""

    day: str = ""
    """When that was, such as `2026-11-27`."""

    owners: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Who owns the files of findings, by path."""

    def owners_of(self, finding: Diagnostic) -> Sequence[str]:
        """Who owns the file of a finding."""
        return self.owners.get(finding.location.path, ())
