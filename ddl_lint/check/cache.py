"""Reports of earlier checks on disk: a check of what has not changed reads nothing but times of change.

The last few are kept of what is asked, for who undoes a change or goes from branch to branch.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from ddl_lint import finding
from ddl_lint.check.report import Report
from ddl_lint.check.version import version_name
from ddl_lint.diagnostic import Diagnostic, Silenced
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.program.followed import Coverage
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.project.inputs import Inputs
from ddl_lint.project.project_context import projects
from ddl_lint.registry.rules import Rule
from ddl_lint.source import Document, Location, SourceError, load, read_bytes, text_from_bytes
from ddl_lint.storage import Codec, Storage, digest

_KIND: Final = "reports"
_MOST: Final = 4
"""So many reports are kept of what is asked, the last ones."""

_CODEC = Codec(
    (
        *(Location, Coverage, Diagnostic, Silenced, finding.Evidence, finding.JobOfFinding, finding.Edit, finding.Fix),
        *(finding.Severity, finding.Confidence, finding.Applicability),
    )
)


def name_of(
    paths: Sequence[Path],
    named: Collection[str],
    settings_for: Callable[[Path], Settings],
    rules: Sequence[Rule],
    storage: Storage,
) -> str:
    """A name for what is asked, and for the program that answers; empty where that cannot be kept.

    Args:
        paths: The files to be checked, absolute.
        named: Those that the report is to tell of when no rule reads them.
        settings_for: The settings of each file.
        rules: All rules that are installed.
        storage: Where the name of the program is kept.
    """
    files: dict[Settings, list[str]] = {}
    try:
        for path in paths:
            files.setdefault(settings_for(path), []).append(path.as_posix())
    except ConfigError:  # what cannot be checked is for the check to tell
        return ""
    asked = [part for settings, names in files.items() for part in (repr(settings), *names)]
    roots = sorted(str(root) for root in projects(paths))
    return digest(version_name(storage), *(rule.code for rule in rules), *roots, *asked, "named", *sorted(named))


def find(storage: Storage, name: str) -> Report | None:
    """The stored report of a check, if all that it depends on is as it was."""
    kept = _kept(storage, name) if name else []
    for key in kept:
        data = storage.read(_KIND, key)
        if data is None:
            continue
        try:
            plain: dict[str, Any] = _CODEC.decode(data)
            findings, documents, files = plain["findings"], plain["documents"], plain["files"]
            programs, unread, hints = plain["programs"], plain["unread"], plain["hints"]
            silenced = plain["silenced"]
            inputs = Inputs(plain["inputs"])
        except (ValueError, KeyError, TypeError):
            continue
        now = inputs.refreshed()
        if now is None:
            continue
        report = Report(
            findings, _Documents(documents), [], files, now, programs, unread, hints=hints, silenced=silenced
        )
        if now is not inputs or [key] != kept[:1]:
            _write(storage, name, report, now, kept)
        return report
    return None


def keep(storage: Storage, name: str, report: Report) -> None:
    """Keep a report, unless it may not be used again."""
    if name and report.inputs is not None:
        _write(storage, name, report, report.inputs, _kept(storage, name))


def _kept(storage: Storage, name: str) -> list[str]:
    """The keys of the reports that are kept under a name, the last one first."""
    data = storage.read(_KIND, name)
    try:
        kept: Any = _CODEC.decode(data) if data is not None else ()
    except ValueError:
        return []
    return [*cast("tuple[str, ...]", kept)] if isinstance(kept, tuple) else []


def _write(storage: Storage, name: str, report: Report, inputs: Inputs, kept: list[str]) -> None:
    """Put a report first among those that are kept under a name."""
    plain = {
        "findings": report.findings,
        "documents": list(report.documents),
        "files": report.files,
        "programs": list(report.programs),
        "unread": list(report.unread),
        "hints": report.hints,
        "silenced": report.silenced,
        "inputs": inputs.plain(),
    }
    key = digest(name, *(f"{path} {content}" for path, content in inputs.contents.items()))
    try:
        storage.write(_KIND, key, _CODEC.encode(plain))
        if kept[:1] != [key]:
            storage.write(_KIND, name, _CODEC.encode((key, *(each for each in kept if each != key))[:_MOST]))
    except ValueError:  # a rule of somebody else may report what we do not know
        return


class _Documents(Mapping[str, Document]):
    """The documents of files that have not changed, each read when it is asked for."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = dict.fromkeys(paths)
        self._read: dict[str, Document] = {}

    def __getitem__(self, path: str) -> Document:
        document = self._read.get(path)
        if document is None:
            if path not in self._paths:
                raise KeyError(path)
            try:
                document = self._read[path] = _read(path)
            except SourceError as error:
                raise KeyError(path) from error
        return document

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _read(path: str) -> Document:
    return text_from_bytes(path, read_bytes(path)) if is_job_file(path) else load(path)
