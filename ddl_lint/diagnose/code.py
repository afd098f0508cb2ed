"""The training code beside the logs: what a check finds in it, what its ranks do, and where the frames of a log are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath

from ddl_lint.analysis.ranks.communication import Block, Communication, Gap
from ddl_lint.check.configuration import Configuration, Resolver
from ddl_lint.check.overrides import Overrides
from ddl_lint.check.project_traces import project_traces
from ddl_lint.check.rank_findings import shows_ranks
from ddl_lint.check.rank_questions import Traced
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session
from ddl_lint.check.traced_job import named_job
from ddl_lint.check.traced_line import trace_line
from ddl_lint.check.traced_program import TraceError, open_projects
from ddl_lint.diagnose.facts import Frame
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.jobs.job import Job
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import Installed, Rule
from ddl_lint.source import Document, SourceError, load
from ddl_lint.source.span import Location
from ddl_lint.storage import Storage

_NEAR = 200
"""Lines above and below in which a line of a frame is looked for that has moved."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of the code, counted from 1. `moved` says that the log has it elsewhere: the code has changed since."""

    path: str
    line: int
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """A call that several ranks must make, as a trace shows it: by its names, and the conditions around it."""

    names: tuple[str, ...]
    spot: Spot
    location: Location
    order: int
    blocks: tuple[Block, ...]
    gap: Gap | None
    communication: Communication


@dataclass(frozen=True)
class Code:
    """What is known of the code in a folder."""

    root: Path
    findings: Sequence[Diagnostic]
    hints: Sequence[Diagnostic]
    documents: Mapping[str, Document]
    rules: Sequence[Rule]
    files: Sequence[str]
    settings: Resolver
    traces: Sequence[Communication]
    problems: Sequence[str] = ()
    job: Job | None = None
    """The job that the logs are of, where that is known: all that is said of the code is about it."""

    _loaded: dict[str, Document | None] = field(default_factory=dict[str, "Document | None"])
    _programs: dict[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    _by_line: dict[tuple[str, int], Communication | None] = field(
        default_factory=dict[tuple[str, int], "Communication | None"]
    )

    @property
    def folder(self) -> str:
        """The folder that the code is in."""
        return (self.root if self.root.is_dir() else self.root.parent).as_posix()

    @cached_property
    def sites(self) -> Sequence[Site]:
        """All calls of the traces that several ranks must make."""
        return [site for communication in self.traces for site in self.sites_of(communication)]

    def sites_of(self, communication: Communication) -> Iterator[Site]:
        """Those of one trace."""
        for order, row in enumerate(communication.rows):
            for location in dict.fromkeys(cell.location for cell in row.cells if cell is not None and not cell.leaves):
                cell = next(each for each in row.cells if each is not None and each.location == location)
                spot = self.spot(location)
                if spot is not None:
                    names = tuple(dict.fromkeys(name for name in (cell.name, cell.operation) if name))
                    blocks = (*row.blocks, *cell.under)
                    yield Site(names, spot, location, order, blocks, row.gap, communication)

    def spot(self, location: Location) -> Spot | None:
        """The line of a location; None where its file is not known."""
        document = self.document(location.path)
        return None if document is None else Spot(location.path, document.position(location.start)[0])

    def document(self, path: str) -> Document | None:
        """A file of the code."""
        if path in self.documents:
            return self.documents[path]
        if path not in self._loaded:
            try:
                self._loaded[path] = load(path)
            except SourceError:
                self._loaded[path] = None
        return self._loaded[path]

    def text(self, spot: Spot) -> str:
        """What is written on a line."""
        document = self.document(spot.path)
        if document is None or not 1 <= spot.line <= document.line_count:
            return ""
        return document.line_text(spot.line).strip()

    def where(self, frame: Frame) -> Spot | None:
        """The line of the code that a frame of a log means: by the end of the path, and what the log shows of it."""
        for path in self._files_like(frame.file):
            document = self.document(path)
            if document is None:
                continue
            line = _line_in(document, frame)
            if line is not None:
                return Spot(path, line, line != frame.line)
        return None

    def _files_like(self, file: str) -> Sequence[str]:
        """The files whose paths end as that of a frame, those first that share the most of it."""
        parts = PurePath(file.replace("\\", "/")).parts
        alike = [(common, path) for path in self._by_name.get(parts[-1] if parts else "", ())
                 if (common := _common_end(parts, PurePath(path).parts))]  # fmt: skip
        most = max((common for common, _ in alike), default=0)
        return [path for common, path in alike if common == most]

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(PurePath(path).name, []).append(path)
        return found

    def programs_of(self, scripts: Iterable[str]) -> frozenset[str]:
        """The files of some scripts: themselves, and what they import, directly or through others."""
        return frozenset(path for script in scripts for path in self._program_of(script))

    def _program_of(self, script: str) -> frozenset[str]:
        if script not in self._programs:
            try:
                paths = open_projects([Path(script)], {})[Path(script)].reached([script])
            except KeyError:
                paths = frozenset[str]()
            self._programs[script] = paths | {script}
        return self._programs[script]

    @cached_property
    def jobs(self) -> Sequence[Job]:
        """The jobs that launches of the project start its scripts as."""
        programs = [Path(path) for path in self.files if path.endswith((".py", ".ipynb"))]
        projects = {id(project): project for project in open_projects(programs, {}).values()}
        return [job for each in projects.values() for jobs in each.launch.jobs.values() for job in jobs]

    def named_job(self, name: str) -> Job:
        """The job that is launched at a place, such as `train.sbatch:13`.

        Raises:
            TraceError: none is there, or several are.
        """
        return named_job(self.jobs, name, self.place, "the code")

    def place(self, location: Location) -> str:
        """A location as people write it: `train.sbatch:13`."""
        spot = self.spot(location)
        return location.path if spot is None else f"{self.short(spot.path)}:{spot.line}"

    def short(self, path: str) -> str:
        """A path from the folder of the code on."""
        return (
            PurePath(path).relative_to(self.folder).as_posix() if PurePath(path).is_relative_to(self.folder) else path
        )

    def of_job(self, job: Job) -> Code:
        """The code as one job runs it."""
        return replace(self, job=job, _by_line={})

    def concerns(self, finding: Diagnostic) -> bool:
        """Whether a finding may be about the job of the logs: no other launch, and nothing that it does not meet."""
        if self.job is None:
            return True
        met = [each.is_met for each in finding.jobs if each.place == self.job.place]
        path = finding.location.path
        is_launch = any(path == job.place.path for job in self.jobs)
        return all(met) and (not is_launch or path == self.job.place.path)

    def trace_of(self, script: str) -> Communication | None:
        """What the ranks do in a script."""
        if self.job is not None:
            return self.trace_at(Spot(script, 1))
        known = next((each for each in self.traces if each.path == script and not each.function), None)
        return known if known is not None else self.trace_at(Spot(script, 1))

    def trace_at(self, spot: Spot) -> Communication | None:
        """What the ranks do in the run that gets to a line."""
        key = spot.path, spot.line
        if key not in self._by_line:
            path = Path(spot.path)
            traced = self._traced(path, spot.line)
            if traced is not None:
                for name, document in traced.documents.items():
                    self._loaded.setdefault(name, document)
            self._by_line[key] = None if traced is None else traced.communication
        return self._by_line[key]

    def _traced(self, path: Path, line: int) -> Traced | None:
        """The run that gets to a line; in the job of the logs, where that gets there."""
        for job in ("",) if self.job is None else (f"{self.job.place.path}:{self._line(self.job.place)}", ""):
            try:
                return trace_line(path, line, self.settings(path), rules=self.rules, job=job).traced
            except (TraceError, KeyError):
                continue
        return None

    def _line(self, location: Location) -> int:
        spot = self.spot(location)
        return 0 if spot is None else spot.line

    @property
    def all_documents(self) -> Mapping[str, Document]:
        """Every file that was read, by path."""
        return {**{path: each for path, each in self._loaded.items() if each is not None}, **self.documents}


def read_code(
    folder: Path, installed: Installed, storage: Storage | None = None, *, jobs: int = 1, traces: bool = True
) -> Code:
    """Check the code in a folder, and follow its scripts.

    Args:
        folder: The folder, or one script.
        installed: The rules.
        storage: Where the outcome of an earlier check may be kept.
        jobs: How many processes may work at once.
        traces: Whether ranks that wait are of interest.
    """
    overrides = Overrides(preview=True, hints=True, include_tests=True, folder=folder if folder.is_dir() else None)
    settings = Resolver(Configuration(overrides), installed.known)
    found = discover([folder], settings)
    session = Session(installed.known, storage, keeps_pieces=False)
    report = session.check(Request(found.files, settings.configuration, jobs=jobs, stored=True))
    documents = dict(report.documents)
    communications: Sequence[Communication] = ()
    if traces:
        of_ranks = {rule.code for rule in settings.rules if shows_ranks(rule)}
        about = [finding for finding in report.findings if finding.code in of_ranks]
        shown = project_traces(report.programs, about, documents, settings, settings.rules)
        documents.update(shown.documents)
        communications = shown.traces
    return Code(
        folder,
        report.findings,
        report.hints,
        documents,
        installed.known,
        [path.as_posix() for path in found.files],
        settings,
        communications,
        [f"{each.path}: {each.message}" for each in (*found.problems, *report.problems)],
    )


def _common_end(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts two paths have in common at their ends."""
    count = 0
    for left, right in zip(reversed(one), reversed(other), strict=False):
        if left != right:
            break
        count += 1
    return count


def _line_in(document: Document, frame: Frame) -> int | None:
    """The line of a frame in a file: where the log says, if what it shows is there; else the nearest such line."""
    count = document.line_count
    shown = " ".join(frame.source.split())
    if not shown:
        return frame.line if 1 <= frame.line <= count else None

    def is_there(line: int) -> bool:
        return " ".join(document.line_text(line).split()) == shown

    if 1 <= frame.line <= count and is_there(frame.line):
        return frame.line
    near: Iterable[int] = range(max(1, frame.line - _NEAR), min(count, frame.line + _NEAR) + 1)
    found = [line for line in near if is_there(line)]
    return min(found, key=lambda line: abs(line - frame.line), default=None)
