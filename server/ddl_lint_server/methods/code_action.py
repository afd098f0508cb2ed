"""The client asks what can be done about a range of a document."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server import actions
from ddl_lint_server.state import Server

METHOD = types.TEXT_DOCUMENT_CODE_ACTION
OPTIONS = types.CodeActionOptions(
    code_action_kinds=[types.CodeActionKind.QuickFix, actions.FIX_ALL, actions.FIX_ALL_OF_NOTEBOOK],
    resolve_provider=True,
)


async def handle(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """Offer fixes from what we have found ourselves; what the client says about findings is not looked at."""
    return await actions.offered(ls, params)
