"""What must be certain of a finished fix before it may be called safe, whichever rule it is of.

A fix is looked at as it is: what it would write is read like a program, and compared with what was there. What is
surely wrong is not offered; what cannot be proved is not safe. Rules need not know of any of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Finding, Fix
from ddl_lint.fixes.proof.additions import additions
from ddl_lint.fixes.proof.doubt import Doubt
from ddl_lint.fixes.proof.groups import doubts_of_groups
from ddl_lint.fixes.proof.members import doubts_of_callers, doubts_of_members
from ddl_lint.fixes.proof.process_counts import doubts_of_counts
from ddl_lint.fixes.proof.settings import doubts_of_settings
from ddl_lint.fixes.proof.signatures import doubts_of_keywords
from ddl_lint.fixes.unfixable import Unfixable, without_fix
from ddl_lint.program.trace import Event


def proved(run: RunView, fix: Fix, subjects: Sequence[object]) -> Fix:
    """A fix of a program as it may be offered; `subjects` are what it was made of, events among them.

    Raises:
        Unfixable: it would not work.
    """
    about = [each for each in subjects if isinstance(each, Event)]
    return _weighed(fix, _doubts(run, fix, about))


def proved_of_jobs(project: JobsView, finding: Finding) -> Finding:
    """A finding about files around the programs, with its fix as it may be offered."""
    fix = finding.fix
    if fix is None:
        return finding
    try:
        return replace(finding, fix=_weighed(fix, (*doubts_of_counts(project, fix), *doubts_of_settings(project, fix))))
    except Unfixable as because:
        return without_fix(finding, str(because))


def _doubts(run: RunView, fix: Fix, about: Sequence[Event]) -> Iterator[Doubt]:
    added = additions(run, fix)
    yield from doubts_of_keywords(run, fix, added, about)
    yield from doubts_of_members(run, added, about)
    yield from doubts_of_groups(run, added, about)
    if fix.applicability is Applicability.SAFE:
        yield from doubts_of_callers(run, added)


def _weighed(fix: Fix, doubts: Iterable[Doubt]) -> Fix:
    for doubt in doubts:
        if doubt.is_certain:
            raise Unfixable(doubt.reason)
        if fix.applicability is Applicability.SAFE:
            fix = replace(fix, applicability=Applicability.UNSAFE, reason=doubt.reason)
    return fix
