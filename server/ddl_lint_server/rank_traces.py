"""Traces of ranks, as the server makes and offers them: `Show ranks` at findings of ranks that do not meet."""

from __future__ import annotations

import json
from urllib.parse import quote

from lsprotocol import types

from ddl_lint_server.messages import Found, Picture, SvgAnswer, TextAnswer
from ddl_lint_server.protocol import refusal
from ddl_lint_server.state import Server

SHOW = "ddl-lint.server.showTrace"
"""The command that shows the trace of the run which gets to a line. Arguments: URI, and the line from 0."""

TITLE = "Show ranks"


async def drawn(ls: Server, uri: str, format: str, function: str = "", line: int = -1) -> SvgAnswer:
    """The picture of a document. Raises the refusal where there is none."""
    subject = ls.documents.of(uri)
    path = subject.path if subject is not None else ls.documents.path(uri)
    if not path:
        raise refusal(f"{uri} is no file")
    cell = ls.documents.cell(uri) if subject is not None else 0
    answer = await ls.ask(Picture(path, function, format, line, cell))
    if isinstance(answer, SvgAnswer):
        return answer
    raise refusal(answer.text if isinstance(answer, TextAnswer) else "there is no picture")


def is_shown(ls: Server, found: Found) -> bool:
    """Whether the client can show the trace of a finding."""
    return found.shows_ranks and ls.can.shows_documents


def command(uri: str, line: int | None = None) -> types.Command:
    """What a client runs to show the ranks at a line, or in all of a script."""
    return types.Command(title=TITLE, command=SHOW, arguments=[uri] if line is None else [uri, line])


def link(uri: str, line: int) -> str:
    """The same as a link in Markdown, for clients that run commands from links."""
    return f"[{TITLE}](command:{SHOW}?{quote(json.dumps([uri, line]), safe='')})"
