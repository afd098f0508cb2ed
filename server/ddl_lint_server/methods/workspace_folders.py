"""Folders were added to the workspace, or taken out."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint.search_path import leave_projects_out
from ddl_lint_server.client_settings import folders_of, refresh_settings
from ddl_lint_server.state import Server

METHOD = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS


async def handle(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Each folder has settings of its own."""
    leave_projects_out([path for path, _ in folders_of(ls)])
    await refresh_settings(ls)
    ls.disk_changed()
