"""Command: what became of the job that wrote a log."""

from __future__ import annotations

from typing import Any

from ddl_lint_server.messages import Diagnose, SvgAnswer, TextAnswer
from ddl_lint_server.protocol import refusal
from ddl_lint_server.settings import folder_of
from ddl_lint_server.state import Server

COMMAND = "ddl-lint.server.diagnose"


async def run(ls: Server, uri: str, *more: Any) -> dict[str, str]:
    """A page. Arguments: the URI of the log, and that of the folder with the code; if that is not given, the workspace
    folder around the log, else the first one.
    """
    log, workspace = ls.documents.path(uri), ls.documents.workspace
    if not log:
        raise refusal(f"{uri} is no file")
    given = ls.documents.path(more[0]) if more and isinstance(more[0], str) else ""
    folder = given or folder_of(workspace, log) or (workspace.folders[-1] if workspace.folders else "")
    if folder not in workspace.folders:
        raise refusal("the code of the job is looked for in a folder of the workspace, and none is open")
    answer = await ls.ask(Diagnose(log, folder))
    if not isinstance(answer, SvgAnswer):
        raise refusal(answer.text if isinstance(answer, TextAnswer) else "there is no answer")
    return {"format": "html", "content": answer.content, "folder": answer.folder}
