"""A notebook was saved."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.NOTEBOOK_DOCUMENT_DID_SAVE


def handle(ls: Server, params: types.DidSaveNotebookDocumentParams) -> None:
    """The cells are known; but the file may be a new one. Who watches files tells so anyway."""
    if not ls.can.watches:
        ls.disk_changed()
