"""Command: which ddl-lint is at work, with which configuration, and why."""

from __future__ import annotations

from typing import Any

from ddl_lint_server.messages import Describe, TextAnswer
from ddl_lint_server.state import Server
from ddl_lint_server.worker import WorkerError

COMMAND = "ddl-lint.server.debugInformation"


async def run(ls: Server, *arguments: Any) -> dict[str, Any]:
    """A text for people, and the numbers in it for programs. Argument: the URI of a document, if there is one."""
    uri = str(arguments[0]) if arguments and isinstance(arguments[0], str) else ""
    folders = ls.documents.workspace.folders
    path = ls.documents.path(uri) or (folders[-1] if folders else "")
    parts: list[str] = []
    if path:
        try:
            answer = await ls.ask(Describe(path))
        except WorkerError as error:
            parts.append(f"nothing is known about {path}: {error}\n")
        else:
            parts.append(answer.text if isinstance(answer, TextAnswer) else "")
    channel = "pulled by the editor" if ls.can.pulls else "pushed to the editor"
    parts.append(
        f"findings are {channel}; positions count in {ls.documents.workspace.unit.value}\n"
        f"checking process: {ls.worker.pid}, the {ls.worker.generation}. of this session\n"
        f"open documents: {sum(1 for _ in ls.documents)}\n"
    )
    return {
        "text": "\n".join(parts),
        "version": ls.version,
        "worker": ls.worker.pid,
        "generation": ls.worker.generation,
    }
