"""A document was closed."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.TEXT_DOCUMENT_DID_CLOSE


def handle(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Forget it, and show nothing in it any more."""
    uri = params.text_document.uri
    subject = ls.documents.of(uri)
    if ls.documents.texts.close(uri) is None:
        return
    if subject is not None:
        ls.closed(subject.path)
    ls.unpublish(uri)
