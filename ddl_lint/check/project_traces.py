"""The traces of the scripts of a check, for who wants to see what the ranks do at what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.check.limits import analysis_limits
from ddl_lint.check.rank_questions import Traced, trace
from ddl_lint.check.traced_line import trace_line
from ddl_lint.check.traced_program import TraceError, open_projects
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.program.followed import Coverage
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule
from ddl_lint.source import Document
from ddl_lint.source.span import Location
from ddl_lint.syntax import in_deep_stack

if TYPE_CHECKING:
    from ddl_lint.analysis.ranks.communication import Communication

MOST = 40
"""Scripts that are followed once more, and findings that are looked for in what no script reaches."""

_Place = tuple[str, int]


@dataclass(slots=True)
class ProjectTraces:
    """Traces, each of another script or function, and the documents that they point into, by path."""

    traces: list[Communication] = field(default_factory=list["Communication"])
    documents: dict[str, Document] = field(default_factory=dict[str, Document])
    left_out: int = 0
    """How many scripts and findings were not looked at, as there are so many."""

    _shown: set[_Place] = field(default_factory=set[_Place])

    def add(self, traced: Traced) -> None:
        """Keep a trace."""
        self.traces.append(traced.communication)
        self.documents.update(traced.documents)
        self._shown |= _troubles(traced)

    def shows(self, place: _Place) -> bool:
        """Whether ranks do not meet at a place in one of the traces."""
        return place in self._shown


def project_traces(
    programs: Iterable[Coverage],
    findings: Sequence[Diagnostic],
    documents: Mapping[str, Document],
    settings_for: Callable[[Path], Settings],
    rules: Sequence[Rule],
) -> ProjectTraces:
    """The traces of all scripts, and those that show where else ranks do not meet at the places of findings.

    Args:
        programs: What was followed.
        findings: Those that may say that ranks do not meet.
        documents: What they point into, by path.
        settings_for: What is configured for a file.
        rules: Those that are installed: what they find about the ranks is part of a trace.
    """
    found = ProjectTraces()
    scripts = sorted({each.path for each in programs if each.followed and each.kind not in ("library", "none")})
    in_programs = [each for each in findings if _is_program(documents.get(each.location.path))]
    asked_of = dict.fromkeys(map(Path, (*scripts, *(each.location.path for each in in_programs))))
    with analysis_limits():
        projects = in_deep_stack(open_projects, asked_of, {})
    for path in map(Path, scripts[:MOST]):
        try:
            found.add(trace(path, settings_for(path), rules=rules, project=projects[path]))
        except TraceError:
            continue  # a command that another file declares
    asked = 0
    for finding in sorted(in_programs, key=lambda each: (each.location.path, each.location.start)):
        place = _line(finding.location, documents)
        if place is None or found.shows(place):
            continue
        asked += 1
        if asked > MOST:
            continue
        path = Path(finding.location.path)
        try:
            traced = trace_line(path, place[1], settings_for(path), rules=rules, project=projects[path]).traced
        except TraceError:
            continue
        if traced is not None and place in _troubles(traced):
            found.add(traced)
    found.left_out = max(0, len(scripts) - MOST) + max(0, asked - MOST)
    return found


def _is_program(document: Document | None) -> bool:
    return document is not None and document.kind != "text"


def _troubles(traced: Traced) -> set[_Place]:
    gaps = (gap.place for gap in traced.communication.gaps if gap.place is not None)
    return {place for gap in gaps if (place := _line(gap, traced.documents)) is not None}


def _line(location: Location, documents: Mapping[str, Document]) -> _Place | None:
    document = documents.get(location.path)
    return None if document is None else (location.path, document.position(location.start)[0])
