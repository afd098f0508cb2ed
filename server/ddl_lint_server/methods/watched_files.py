"""Files were written, created or deleted, by whomever."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES


def handle(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Check again what is open. Of an open file the text in the editor counts, whatever is written."""
    if any(change.type != types.FileChangeType.Changed or not ls.documents.of(change.uri) for change in params.changes):
        ls.disk_changed()
