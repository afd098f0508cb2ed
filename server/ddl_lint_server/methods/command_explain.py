"""Command: the page of a rule."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ddl_lint_server.messages import Explain, Said
from ddl_lint_server.state import Server

COMMAND = "ddl-lint.server.explainRule"


async def run(ls: Server, rule: str) -> dict[str, str]:
    """The page, as plain text. Argument: the rule's code or name."""
    answer = await ls.worker.ask(Explain(rule), ls.documents.snapshot())
    if not isinstance(answer, Said) or answer.is_fault:
        reason = answer.text if isinstance(answer, Said) else "there is no page"
        raise JsonRpcException(reason, types.LSPErrorCodes.RequestFailed.value)
    return {"text": answer.text}
