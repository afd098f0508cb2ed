"""What rules see of a file: the runs that begin in it, or that come to a line of it, with their events in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.analysis.interpreter.project.installed import InstalledPackages
from ddl_lint.analysis.probes.makers import MAKERS
from ddl_lint.analysis.runs import follow_function, functions_of
from ddl_lint.analysis.syntactic.lines import statement_at
from ddl_lint.analysis.view import RunView
from ddl_lint.check.limits import analysis_limits
from ddl_lint.check.traced_line import starting_at
from ddl_lint.check.traced_program import TracedProgram, open_program
from ddl_lint.finding import Finding
from ddl_lint.program.trace import Event, Run
from ddl_lint.project.config import Settings
from ddl_lint.source import Document
from ddl_lint.syntax import in_deep_stack


@dataclass(frozen=True)
class SeenRun:
    """A run, those of its events that are asked for, and which classes of ranks come to each."""

    run: RunView
    events: Sequence[Event]
    ranks: Mapping[Event, Sequence[str]]


@dataclass(frozen=True)
class SeenEvents:
    """The runs, and the documents that they point into, by path; `faults` are the syntax errors on the way."""

    runs: Sequence[SeenRun]
    documents: Mapping[str, Document]
    faults: Sequence[Finding]


def seen_events(path: Path, line: int | None, settings: Settings) -> SeenEvents:
    """What rules see of a file, or of one of its lines; the events that only some rules ask for are among them.

    The runs are those that begin in the file; for a line to which none of them comes, those of a script which imports
    the file. Of what no run comes to, each function is followed by itself, with unknown arguments.

    Raises:
        TraceError: the file cannot be read.
    """
    return in_deep_stack(_seen_events, path, line, settings)


def _seen_events(path: Path, line: int | None, settings: Settings) -> SeenEvents:
    from ddl_lint.analysis.ranks.reach import arrivals  # a check does not need it

    with analysis_limits():
        project = open_program(path, (), settings, {})
        found: list[SeenRun] = []
        for runs in _candidates(project, path, line):
            views = map(project.view, runs)
            seen = [
                (view, [each for each in view.run.events if _is_asked(project, each, path, line)]) for view in views
            ]
            found = [SeenRun(view, events, arrivals(view)) for view, events in seen if events]
            if found:
                break
        return SeenEvents(found, project.files.documents, [fault.finding for fault in project.files.faults])


def _candidates(project: TracedProgram, path: Path, line: int | None) -> Iterator[list[Run]]:
    """The runs in which to look, the most telling ones first."""
    installed, kinds = InstalledPackages(project.api), frozenset(MAKERS)
    for module in starting_at(project, path) if line is not None else [project.module]:
        yield project.follow(module, installed, crashes=project.files.faults, recorded=kinds)
    names = functions_of(project.module)
    if line is not None:
        at = statement_at(project.module, project.files.documents[path.as_posix()], line)
        names = [at.function] if at is not None and at.function else []
    alone = (
        follow_function(project.codebase, project.api, project.module, name, installed, recorded=kinds)
        for name in names
    )
    yield [run for run in alone if run is not None]


def _is_asked(project: TracedProgram, event: Event, path: Path, line: int | None) -> bool:
    if line is None:
        return True
    if event.location.path != path.as_posix():
        return False
    document = project.files.documents[event.location.path]
    first, last = (document.position(each)[0] for each in (event.location.start, event.location.end))
    return first <= line <= last
