"""Command: a picture of what the ranks do in a script or a function, or in the run that gets to a line."""

from __future__ import annotations

from typing import Any

from ddl_lint_server.protocol import refusal
from ddl_lint_server.rank_traces import drawn
from ddl_lint_server.state import Server

COMMAND = "ddl-lint.server.trace"
_FORMATS = ("svg", "html", "text", "json", "mermaid")


async def run(ls: Server, uri: str, *more: Any) -> dict[str, str]:
    """The picture. Arguments: the URI, the format (svg if it is not given), the function (or `Class.method`), and the
    line that it is opened at, counted from 0.
    """
    format, function, line, *_ = [*more, None, None, None]
    format = str(format or "svg")
    if format not in _FORMATS:
        raise refusal(f"there is no format `{format}`")
    answer = await drawn(ls, uri, format, str(function or ""), line if isinstance(line, int) else -1)
    return {"format": format, "content": answer.content, "folder": answer.folder}
