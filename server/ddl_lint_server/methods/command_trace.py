"""Command: a picture of what the ranks do in a script, or in a function."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ddl_lint_server.messages import Picture, Said
from ddl_lint_server.state import Server

COMMAND = "ddl-lint.server.trace"
_FORMATS = ("svg", "html", "text", "json", "mermaid")


async def run(ls: Server, uri: str, *more: Any) -> dict[str, str]:
    """The picture. Arguments: the URI, the format (svg if it is not given), the function (or `Class.method`)."""
    format, function = [*(str(each or "") for each in more), "", ""][:2]
    format = format or "svg"
    path = ls.documents.path(uri)
    subject = ls.documents.of(uri)
    if subject is not None:
        path = subject.path
    if format not in _FORMATS or not path:
        raise _refusal(f"there is no format `{format}`" if path else f"{uri} is no file")
    answer = await ls.worker.ask(Picture(path, function, format), ls.documents.snapshot())
    if not isinstance(answer, Said) or answer.is_fault:
        raise _refusal(answer.text if isinstance(answer, Said) else "there is no picture")
    return {"format": format, "content": answer.text}


def _refusal(reason: str) -> JsonRpcException:
    return JsonRpcException(reason, types.LSPErrorCodes.RequestFailed.value)
