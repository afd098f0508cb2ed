"""The client asks what there is to know at a place."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.hover import hovered
from ddl_lint_server.state import Server

METHOD = types.TEXT_DOCUMENT_HOVER


async def handle(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """Tell about the finding there, or about the code."""
    return await hovered(ls, params)
