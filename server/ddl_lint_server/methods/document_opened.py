"""A document was opened."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.TEXT_DOCUMENT_DID_OPEN


def handle(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Take it in, and check it at once."""
    ls.documents.texts.open(params.text_document)
    ls.changed(params.text_document.uri, is_new=True)
