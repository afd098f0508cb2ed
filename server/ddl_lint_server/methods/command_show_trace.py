"""Command: show the trace of the run that gets to a line, in a browser. Editors with a panel show it there instead."""

from __future__ import annotations

from typing import Any

from ddl_lint_server import browser
from ddl_lint_server.rank_traces import SHOW, drawn
from ddl_lint_server.state import Server

COMMAND = SHOW


async def run(ls: Server, uri: str, *more: Any) -> None:
    """Open the page. Arguments: the URI, and the line that it is opened at, counted from 0; without one, all of it."""
    line, *_ = [*more, None]
    answer = await drawn(ls, uri, "html", line=line if isinstance(line, int) else -1)
    browser.show(ls, answer.content, "rank-trace.html")
