"""Many repositories, each checked by itself, and one report over all of them.

What is found in a repository is data, and is kept in a folder until the repository, the options or ddl-lint change. So
a scan that was cut short goes on where it stopped, and any process may do any part of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ddl_lint import finding
from ddl_lint.check.cache import name_of
from ddl_lint.check.configuration import Configuration, Resolver
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session
from ddl_lint.check.version import version_name
from ddl_lint.checked_folders import set_checked
from ddl_lint.crash import NOT_OURS, reason
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Evidence
from ddl_lint.project.config import ConfigError
from ddl_lint.project.discover import Discovery, Problem, discover
from ddl_lint.project.inputs import Inputs, Plain
from ddl_lint.registry.rules import Rule
from ddl_lint.source import Document, Location
from ddl_lint.source.document import CellSpan
from ddl_lint.source.span import Span
from ddl_lint.storage import Codec, Storage, description, digest

_KIND: Final = "scans"
_MOST_COPIES = 3  # that a finding names


@dataclass(frozen=True)
class Scanned:
    """What was found in one repository."""

    folder: str
    state: str
    """What was asked of which files; empty where it has to be asked again."""
    findings: tuple[Diagnostic, ...] = ()
    documents: tuple[Document, ...] = ()
    """Those that findings and evidence point into."""
    files: int = 0
    problems: tuple[tuple[str, str], ...] = ()
    inputs: Plain = field(default_factory=dict[str, Any])
    """All that the findings depend on, as `Inputs` has it."""


_CODEC = Codec(
    (
        *(Scanned, Diagnostic, Document, CellSpan, Span, Location, finding.Evidence, finding.Edit, finding.Fix),
        finding.JobOfFinding,
        *(finding.Severity, finding.Confidence, finding.Applicability),
    )
)


@dataclass(frozen=True)
class Scan:
    """What is asked of all repositories, and where results are kept."""

    configuration: Configuration
    results: Path | None
    cache: Path | None
    checked: tuple[str, ...] = ()
    """The folders that are not trusted, for processes that know nothing of each other."""

    def keeps_results(self) -> bool:
        """Whether results can be kept where they are wanted."""
        return Storage(self.results).is_writable(_KIND)

    def known(self, folder: Path, rules: Sequence[Rule]) -> Scanned | None:
        """What was found in a repository, if nothing has changed since."""
        data = Storage(self.results).read(_KIND, self._key(folder))
        if data is None:
            return None
        try:
            scanned = _CODEC.decode(data)
        except ValueError:
            return None
        if not isinstance(scanned, Scanned) or not scanned.state:
            return None
        is_same = scanned.state == self._state(self._files(folder, rules), rules)
        return scanned if is_same and Inputs(scanned.inputs).refreshed() is not None else None

    def keep(self, data: bytes, folder: Path) -> Scanned:
        """Keep what `check` has found in a repository, and return it."""
        Storage(self.results).write(_KIND, self._key(folder), data)
        scanned = _CODEC.decode(data)
        assert isinstance(scanned, Scanned)
        return scanned

    def check(self, folder: Path, rules: Sequence[Rule]) -> bytes:
        """What is found in a repository, as bytes. A fault of ours costs this repository only."""
        try:
            return _CODEC.encode(self._checked(folder, rules))
        except NOT_OURS:
            raise
        except BaseException as error:
            problem = (folder.as_posix(), f"the check failed: {reason(error)}; please report this")
            return _CODEC.encode(Scanned(folder.as_posix(), "", problems=(problem,)))

    def _checked(self, folder: Path, rules: Sequence[Rule]) -> Scanned:
        set_checked(self.checked)
        found = self._files(folder, rules)
        state = self._state(found, rules)
        storage = Storage(self.cache) if self.cache is not None else None
        report = Session(rules, storage, keeps_pieces=False).check(Request(found.files, self.configuration))
        problems = tuple((path, message) for path, message in (*found.problems, *report.problems))
        used = {place.path for each in report.findings for place in _places(each)}
        documents = tuple(report.documents[path] for path in sorted(used) if path in report.documents)
        inputs = report.inputs.plain() if report.inputs is not None else {}
        state = state if inputs else ""
        return Scanned(folder.as_posix(), state, tuple(report.findings), documents, report.files, problems, inputs)

    def _files(self, folder: Path, rules: Sequence[Rule]) -> Discovery:
        try:
            return discover([folder], Resolver(self.configuration, rules))
        except ConfigError as error:
            return Discovery((), (Problem("", str(error)),))

    def _state(self, found: Discovery, rules: Sequence[Rule]) -> str:
        name = name_of(found.files, (), Resolver(self.configuration, rules), rules, Storage(self.cache))
        return digest(name, *map(str, found.problems)) if name else ""

    def _key(self, folder: Path) -> str:
        version = version_name(Storage(self.cache))
        return digest(version, description(self.configuration), folder.as_posix())


def _places(diagnostic: Diagnostic) -> Iterable[Location]:
    yield diagnostic.location
    yield from (evidence.location for evidence in diagnostic.evidence)
    yield from (job.place for job in diagnostic.jobs)
    if diagnostic.fix is not None:
        yield from (edit.location for edit in diagnostic.fix.edits)


def merged(scanned: Iterable[Scanned], shown: Callable[[str], str]) -> Report:
    """One report over all repositories. A finding in a file that several have, such as a library that was copied into
    them, is there once, and names the others; `shown` says how.
    """
    findings: list[Diagnostic] = []
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    files = 0
    for each in sorted(scanned, key=lambda each: each.folder):
        findings += each.findings
        documents |= {document.path: document for document in each.documents}
        problems += [Problem(*problem) for problem in each.problems]
        files += each.files
    return Report(_once(findings, documents, shown), documents, problems, files)


def _once(
    findings: Iterable[Diagnostic], documents: Mapping[str, Document], shown: Callable[[str], str]
) -> list[Diagnostic]:
    contents = {path: digest(document.text) for path, document in documents.items()}
    copies: dict[object, list[Diagnostic]] = defaultdict(list)
    for each in findings:
        place = each.location
        content = contents.get(place.path, place.path)
        elsewhere = tuple(contents.get(other.path, other.path) for other in _places(each))
        copies[each.code, each.message, content, place.start, place.end, elsewhere].append(each)
    return [_with_copies(same, shown) for same in copies.values()]


def _with_copies(same: Sequence[Diagnostic], shown: Callable[[str], str]) -> Diagnostic:
    first, *others = same
    paths = [path for path in dict.fromkeys(each.location.path for each in others) if path != first.location.path]
    if not paths:
        return first
    named = ", ".join(map(shown, paths[:_MOST_COPIES]))
    more = f" and {len(paths) - _MOST_COPIES} more" if len(paths) > _MOST_COPIES else ""
    return replace(first, evidence=(*first.evidence, Evidence(f"the same file is in {named}{more}", first.location)))
