"""Command: show the page of a rule, in a browser. Editors with a view for it show it there instead."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.protocol import refusal
from ddl_lint_server.rule_pages import SHOW, page
from ddl_lint_server.state import Server

COMMAND = SHOW


async def run(ls: Server, rule: str) -> None:
    """Open the page. Argument: the rule's code or name."""
    said = await page(ls, rule, "address")
    if not said.text:
        raise refusal("there is no folder to write the page into")
    ls.window_show_document(types.ShowDocumentParams(said.text, external=True))
