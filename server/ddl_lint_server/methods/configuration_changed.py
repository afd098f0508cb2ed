"""The editor's settings have changed."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.client_settings import refresh_settings
from ddl_lint_server.state import Server

METHOD = types.WORKSPACE_DID_CHANGE_CONFIGURATION


async def handle(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """Ask for them, or take what was sent along where the client cannot be asked."""
    await refresh_settings(ls, params.settings)
