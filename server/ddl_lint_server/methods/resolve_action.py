"""The client wants the edit of an action that it was offered without."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server import actions
from ddl_lint_server.state import Server

METHOD = types.CODE_ACTION_RESOLVE


async def handle(ls: Server, params: types.CodeAction) -> types.CodeAction:
    """Make all safe fixes of the document."""
    return await actions.resolved(ls, params)
