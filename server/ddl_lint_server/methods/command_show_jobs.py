"""Command: show the table of jobs in a browser. Editors with a panel show it there instead."""

from __future__ import annotations

from typing import Any

from ddl_lint_server import browser
from ddl_lint_server.job_tables import SHOW, table
from ddl_lint_server.state import Server

COMMAND = SHOW


async def run(ls: Server, *arguments: Any) -> None:
    """Open the page. Arguments: the URI of a document, and the line of a launch in it, counted from 0."""
    uri, line, *_ = [*arguments, None, None]
    answer = await table(ls, str(uri or ""), "html", line if isinstance(line, int) else -1)
    browser.show(ls, answer.content, "jobs.html")
