"""Command: show the trace of the run that gets to a line, in a browser. Editors with a panel show it there instead."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from ddl_lint_server.protocol import refusal
from ddl_lint_server.rank_traces import SHOW, drawn, write_page
from ddl_lint_server.state import Server

COMMAND = SHOW


async def run(ls: Server, uri: str, *more: Any) -> None:
    """Open the page. Arguments: the URI, and the line that it is opened at, counted from 0."""
    line, *_ = [*more, None]
    answer = await drawn(ls, uri, "html", line=line if isinstance(line, int) else -1)
    page = write_page(answer.content)
    if page is None:
        raise refusal("there is no folder to write the page into")
    ls.window_show_document(types.ShowDocumentParams(page.as_uri(), external=True))
