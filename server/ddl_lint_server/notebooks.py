"""The open notebooks: which cells there are, in which order. What a cell holds is text like any other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lsprotocol import types

from ddl_lint_server.texts import OpenText, Texts, next_stamp

_PYTHON = "python"


@dataclass(frozen=True)
class OpenNotebook:
    """A notebook at one version. The numbers of its cells count from 1, as on the disk."""

    uri: str
    version: int
    cells: tuple[types.NotebookCell, ...]
    stamp: int

    def number(self, cell_uri: str) -> int:
        """The number of a cell; 0 if there is none with this URI."""
        return next((number for number, cell in enumerate(self.cells, 1) if cell.document == cell_uri), 0)

    def cell_uri(self, number: int) -> str:
        """The URI of the cell with a number; that of the notebook if there is none."""
        return self.cells[number - 1].document if 0 < number <= len(self.cells) else self.uri


class Notebooks:
    """All open notebooks, by URI. Their cells are among the texts."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.revision = 0
        """Grows with every change."""
        self._open: dict[str, OpenNotebook] = {}
        self._owner: dict[str, str] = {}
        self._json: dict[str, tuple[int, str]] = {}

    def __iter__(self) -> Iterator[OpenNotebook]:
        return iter(tuple(self._open.values()))

    def get(self, uri: str) -> OpenNotebook | None:
        """A notebook; None if it is not open."""
        return self._open.get(uri)

    def around(self, cell_uri: str) -> OpenNotebook | None:
        """The notebook of a cell."""
        return self._open.get(self._owner.get(cell_uri, ""))

    def open(self, notebook: types.NotebookDocument, texts: Sequence[types.TextDocumentItem]) -> None:
        """Take a notebook in."""
        for text in texts:
            self._texts.open(text)
        self._put(OpenNotebook(notebook.uri, notebook.version, tuple(notebook.cells), next_stamp()))

    def change(self, uri: str, version: int, event: types.NotebookDocumentChangeEvent) -> bool:
        """Make changes; False if the notebook is not open."""
        before = self._open.get(uri)
        if before is None:
            return False
        cells = list(before.cells)
        changes = event.cells
        if changes is not None and changes.structure is not None:
            array = changes.structure.array
            cells[array.start : array.start + array.delete_count] = array.cells or ()
            for text in changes.structure.did_open or ():
                self._texts.open(text)
            for closed in changes.structure.did_close or ():
                self._texts.close(closed.uri)
        if changes is not None:
            changed = {cell.document: cell for cell in changes.data or ()}
            cells = [changed.get(cell.document, cell) for cell in cells]
            for content in changes.text_content or ():
                self._texts.change(content.document.uri, content.document.version, content.changes)
        self._put(replace(before, version=version, cells=tuple(cells), stamp=next_stamp()))
        return True

    def close(self, uri: str, cells: Sequence[types.TextDocumentIdentifier] = ()) -> OpenNotebook | None:
        """Forget a notebook and its cells."""
        self.revision += 1
        notebook = self._open.pop(uri, None)
        self._json.pop(uri, None)
        for cell_uri in [
            *(cell.uri for cell in cells),
            *(cell.document for cell in (notebook.cells if notebook else ())),
        ]:
            self._owner.pop(cell_uri, None)
            self._texts.close(cell_uri)
        return notebook

    def source(self, notebook: OpenNotebook) -> str:
        """The notebook as the JSON that would be on the disk, as far as checks look at it."""
        known = self._json.get(notebook.uri)
        if known is None or known[0] != notebook.stamp:
            cells = [self._cell(cell) for cell in notebook.cells]
            text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
            self._json[notebook.uri] = known = (notebook.stamp, text)
        return known[1]

    def text_of(self, notebook: OpenNotebook, number: int) -> OpenText | None:
        """The text of a cell."""
        return self._texts.get(notebook.cell_uri(number))

    def _cell(self, cell: types.NotebookCell) -> dict[str, object]:
        text = self._texts.get(cell.document)
        is_code = cell.kind == types.NotebookCellKind.Code and text is not None and text.language == _PYTHON
        # A cell of another kind or language keeps its place, so that numbers stay true.
        return {"cell_type": "code" if is_code else "raw", "source": text.text if is_code and text else ""}

    def _put(self, notebook: OpenNotebook) -> None:
        before = self._open.get(notebook.uri)
        for cell in before.cells if before is not None else ():
            self._owner.pop(cell.document, None)
        for cell in notebook.cells:
            self._owner[cell.document] = notebook.uri
        self._open[notebook.uri] = notebook
        self.revision += 1
