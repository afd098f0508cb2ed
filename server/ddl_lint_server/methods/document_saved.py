"""A document was saved."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.TEXT_DOCUMENT_DID_SAVE
OPTIONS = types.SaveOptions(include_text=False)


def handle(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """The text is known; but the file may be a new one, or a configuration. Who watches files tells so anyway."""
    if not ls.can.watches:
        ls.disk_changed()
