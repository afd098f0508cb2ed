"""Findings that have to do with the lines that have changed since a commit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path

from ddl_lint.check.report import Report
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.project.revision import Revision, RevisionError, repository, revision
from ddl_lint.source import Document, SourceError, document_from_bytes, text_from_bytes
from ddl_lint.source.document import NEWLINE
from ddl_lint.source.span import Location

_LONG = 1_500
"""Lines beyond which frequent ones are left out of the comparison, which takes time: more may count as changed then."""


@dataclass
class ChangedSince:
    """Leaves out of a report what is on lines that are as they were, and has nothing to do with others.

    Files are compared as they are in the check, so fixes that are made on the way count as well. Those of a submodule
    are compared with the commit that it was at. What was not there, or is unknown, counts as changed.
    """

    name: str
    """The revision, as the user names it."""
    folder: Path
    """A folder of the repository that has to know it."""
    _revisions: dict[Path, Revision | None] = field(default_factory=dict[Path, "Revision | None"])
    _lines: dict[str, tuple[Document, frozenset[int]]] = field(
        default_factory=dict[str, "tuple[Document, frozenset[int]]"]
    )

    def __post_init__(self) -> None:
        """Raises `RevisionError` where the repository cannot answer."""
        self._own = revision(self.folder, self.name)
        self._revisions[self._own.root] = self._own

    def __call__(self, report: Report) -> Report:
        """A report with the findings that are left."""
        findings = [finding for finding in report.findings if self._is_about_changes(finding, report)]
        silenced = [each for each in report.silenced if self._is_about_changes(each.diagnostic, report)]
        return replace(report, findings=findings, silenced=silenced)

    def _is_about_changes(self, finding: Diagnostic, report: Report) -> bool:
        places = (finding.location, *(evidence.location for evidence in finding.evidence))
        return any(self._has_changed(place, report) for place in places)

    def _has_changed(self, place: Location, report: Report) -> bool:
        document = report.documents.get(place.path)
        if document is None:  # a file that cannot be read
            return True
        lines = self._changed(document)
        first, _ = document.position(place.start)
        last, _ = document.position(place.end)
        return any(line in lines for line in range(first, last + 1))

    def _changed(self, document: Document) -> frozenset[int]:
        known = self._lines.get(document.path)
        if known is None or known[0] is not document:
            known = self._lines[document.path] = document, frozenset(self._changed_now(document))
        return known[1]

    def _changed_now(self, document: Document) -> Iterator[int]:
        before: Document | None = None
        with suppress(SourceError, RevisionError):
            at = self._revision(document.path)
            data = at.content(document.path) if at is not None else None
            before = None if data is None else _as_before(document, data)
        if before is None:
            yield from range(1, document.line_count + 1)
        else:
            yield from changed_lines(NEWLINE.split(before.text), NEWLINE.split(document.text))

    def _revision(self, path: str) -> Revision | None:
        root = repository(Path(path).parent)
        if root is None:
            return None
        if root not in self._revisions:
            self._revisions[root] = self._own.nested(root)
        return self._revisions[root]


def _as_before(document: Document, data: bytes) -> Document:
    if document.kind == "text":
        return text_from_bytes(document.path, data)
    return document_from_bytes(document.path, data)


def changed_lines(before: Sequence[str], after: Sequence[str]) -> Iterator[int]:
    """The numbers of the lines that are new or others, counted from 1.

    Lines that are gone count as a change of those around them, and of the headers of the blocks that they were in: a
    call that is missing in a loop is reported at the loop.
    """
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    is_long = max(len(old), len(new)) > _LONG
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, is_long).get_opcodes():
        if tag == "delete":
            yield from _around(old[old_from:old_to], after, start + new_from)
        elif tag != "equal":
            yield from range(start + new_from + 1, start + new_to + 1)


def _around(gone: Sequence[str], after: Sequence[str], index: int) -> Iterator[int]:
    """The lines beside a gap before the line with an index, and the headers above it."""
    code = [line for line in gone if line.strip()]
    if not code:
        return
    yield from (number for number in (index, index + 1) if 1 <= number <= len(after))
    depth = min(map(_indent, code))
    for number in range(index, 0, -1):
        line = after[number - 1]
        if line.strip() and _indent(line) < depth:
            depth = _indent(line)
            yield number
        if not depth:
            break


def _indent(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())
