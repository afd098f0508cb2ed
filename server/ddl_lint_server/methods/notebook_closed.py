"""A notebook was closed."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.NOTEBOOK_DOCUMENT_DID_CLOSE


def handle(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    """Forget it with its cells, and show nothing in them any more."""
    subject = ls.documents.of(params.notebook_document.uri)
    notebook = ls.documents.notebooks.close(params.notebook_document.uri, params.cell_text_documents)
    if subject is not None:
        ls.closed(subject.path)
    for cell in notebook.cells if notebook is not None else ():
        ls.unpublish(cell.document)
