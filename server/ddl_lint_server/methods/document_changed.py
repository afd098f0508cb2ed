"""A document was edited."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.TEXT_DOCUMENT_DID_CHANGE


def handle(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Make the edits, and check when there are no more for a moment."""
    document = params.text_document
    if ls.documents.texts.change(document.uri, document.version, params.content_changes) is None:
        ls.log(f"{document.uri} was changed, but is not open")
        return
    ls.changed(document.uri)
