"""A notebook was opened."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.NOTEBOOK_DOCUMENT_DID_OPEN


def handle(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    """Take it in with its cells, and check it at once."""
    ls.documents.notebooks.open(params.notebook_document, params.cell_text_documents)
    ls.changed(params.notebook_document.uri, is_new=True)
