"""Command: a table of the jobs of a project, or of the workspace."""

from __future__ import annotations

from typing import Any

from ddl_lint_server.job_tables import FORMATS, table
from ddl_lint_server.protocol import refusal
from ddl_lint_server.state import Server

COMMAND = "ddl-lint.server.jobs"


async def run(ls: Server, *arguments: Any) -> dict[str, str]:
    """The table. Arguments: the URI of a document of the project (empty: the workspace), the format (html if it is not
    given), and the line of the launch that a page is opened at, counted from 0.
    """
    uri, format, line, *_ = [*arguments, None, None, None]
    format = str(format or "html")
    if format not in FORMATS:
        raise refusal(f"there is no format `{format}`")
    answer = await table(ls, str(uri or ""), format, line if isinstance(line, int) else -1)
    return {"format": format, "content": answer.content, "folder": answer.folder}
