"""Command: the page of a rule."""

from __future__ import annotations

from typing import Any

from ddl_lint_server.rule_pages import page
from ddl_lint_server.state import Server

COMMAND = "ddl-lint.server.explainRule"


async def run(ls: Server, rule: str, *more: Any) -> dict[str, str]:
    """The page. Arguments: the rule's code or name, and the format: `text` (if it is not given) or `html`."""
    said = await page(ls, rule, "html" if more[:1] == ("html",) else "text")
    return {"title": said.title, "text": said.text}
