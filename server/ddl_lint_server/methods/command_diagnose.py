"""Command: what became of the job that wrote a log."""

from __future__ import annotations

from typing import Any

from ddl_lint_server.messages import Diagnose, Drawn, Said
from ddl_lint_server.protocol import refusal
from ddl_lint_server.settings import folder_of
from ddl_lint_server.state import Server

COMMAND = "ddl-lint.server.diagnose"


async def run(ls: Server, uri: str, *more: Any) -> dict[str, str]:
    """A page. Arguments: the URI of the log, and that of the folder with the code; if that is not given, the workspace
    folder around the log, else the first one.
    """
    log, world = ls.documents.path(uri), ls.documents.world
    if not log:
        raise refusal(f"{uri} is no file")
    given = ls.documents.path(more[0]) if more and isinstance(more[0], str) else ""
    folder = given or folder_of(world, log) or (world.folders[-1] if world.folders else "")
    if folder not in world.folders:
        raise refusal("the code of the job is looked for in a folder of the workspace, and none is open")
    answer = await ls.ask(Diagnose(log, folder))
    if not isinstance(answer, Drawn):
        raise refusal(answer.text if isinstance(answer, Said) else "there is no answer")
    return {"format": "html", "content": answer.content, "folder": answer.folder}
