"""From offsets in checked documents to lines and columns as the client counts them, and from fixes to its edits."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ddl_lint.finding import Applicability, Edit, Fix
from ddl_lint.fixes.apply import by_path
from ddl_lint.fixes.notebooks import cell_sources, edited_notebook
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.source import ColumnUnit, Document, Location, column_to_units
from ddl_lint.source.lexer import physical_lines
from ddl_lint_server.messages import Change, Place, Repair


@dataclass(frozen=True, slots=True)
class Placer:
    """Places in some documents, for one client. `notebooks` are the JSON texts of the open notebooks, by path."""

    documents: Mapping[str, Document]
    unit: ColumnUnit
    notebooks: Mapping[str, str]

    def place(self, location: Location) -> Place:
        """Where a location is; the start of the file if its document is not known, as for an unreadable one."""
        document = self.documents.get(location.path)
        if document is None:
            return Place(location.path, 0, 0, 0, 0, 0)
        cell = document.cell_at(location.start)
        if cell is None:
            return self._range(document, location.path, 0, 0, location.start, location.end)
        (span,) = (each.span for each in document.cells if each.index == cell.index)
        # The line end after a cell is in the joined text only.
        last = span.end - 1
        first_line = document.position(span.start)[0] - 1
        start, end = min(location.start, last), min(location.end, last)
        return self._range(document, location.path, cell.index, first_line, start, end)

    def repair(self, fix: Fix | None) -> Repair | None:
        """A fix as changes; None where it is only to be looked at, or where a cell of a notebook forbids it."""
        if fix is None or not fix.edits or fix.applicability is Applicability.DISPLAY_ONLY:
            return None
        changes: list[Change] = []
        for path, edits in by_path(fix.edits).items():
            document = self.documents.get(path)
            if document is None:
                return None
            try:
                changes.extend(self._changes(document, edits))
            except Unfixable:
                return None
        return Repair(fix.title, fix.applicability is Applicability.SAFE, continued(fix.reason), tuple(changes))

    def between(self, document: Document, before: str, after: str) -> Iterator[Change]:
        """The changes that make one text of a file from another; of a notebook, from one JSON to another."""
        if document.kind == "notebook":
            old, new = dict(cell_sources(before)), dict(cell_sources(after))
            for cell, text in old.items():
                yield from self._rewritten(document.path, cell, text, new[cell])
        else:
            yield from self._rewritten(document.path, 0, before, after)

    def _changes(self, document: Document, edits: Iterable[Edit]) -> Iterator[Change]:
        if document.kind != "notebook":
            # Of two at one place, the insertion comes first; clients make them in the order in which they get them.
            for edit in sorted(edits, key=lambda edit: (edit.location.start, edit.location.end)):
                yield Change(self.place(edit.location), edit.text)
            return
        text = self.notebooks.get(document.path)
        if text is None:
            raise Unfixable("the notebook is not open")
        yield from self.between(document, text, edited_notebook(document, text, edits))

    def _rewritten(self, path: str, cell: int, before: str, after: str) -> Iterator[Change]:
        document = Document(path, before)
        for start, end, text in differences(before, after):
            yield Change(self._range(document, path, cell, 0, start, end), text)

    def _range(self, document: Document, path: str, cell: int, first_line: int, start: int, end: int) -> Place:
        line, column = self._position(document, start)
        end_line, end_column = self._position(document, max(start, end))
        return Place(path, cell, line - first_line, column, end_line - first_line, end_column)

    def _position(self, document: Document, offset: int) -> tuple[int, int]:
        line, column = document.position(offset)
        return line - 1, column_to_units(document.line_text(line), column - 1, self.unit)


def differences(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """What to replace by what, by whole lines, so that the rest of the text (and the cursor in it) stays."""
    old, new = list(physical_lines(before)), list(physical_lines(after))
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail])
    for kind, first, last, other_first, other_last in matcher.get_opcodes():
        if kind != "equal":
            text = "".join(new[head + other_first : head + other_last])
            yield starts[head + first], starts[head + last], text


def continued(sentence: str) -> str:
    """A sentence as the rest of another one. What begins with two capitals is a name."""
    text = sentence.strip().rstrip(".")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
