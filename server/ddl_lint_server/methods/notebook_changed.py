"""Cells of a notebook were edited, added, moved or removed."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.NOTEBOOK_DOCUMENT_DID_CHANGE


def handle(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    """Make the changes, and check when there are no more for a moment. What was removed shows nothing any more."""
    notebook = params.notebook_document
    before = ls.documents.notebooks.get(notebook.uri)
    if before is None or not ls.documents.notebooks.change(notebook.uri, notebook.version, params.change):
        ls.log(f"{notebook.uri} was changed, but is not open")
        return
    for cell in before.cells:
        if ls.documents.notebooks.around(cell.document) is None:
            ls.unpublish(cell.document)
    ls.changed(notebook.uri)
