"""Pages of rules, as the server offers them: an action at each finding."""

from __future__ import annotations

from typing import Literal

from lsprotocol import types

from ddl_lint_server.convert import SHOW_RULE as SHOW
from ddl_lint_server.messages import Explain, Found, TextAnswer
from ddl_lint_server.protocol import refusal
from ddl_lint_server.state import Server

__all__ = ["SHOW", "command", "page"]


async def page(ls: Server, rule: str, form: Literal["text", "html", "address"]) -> TextAnswer:
    """The page of a rule, or its address. Raises the refusal where there is none."""
    answer = await ls.ask(Explain(rule, form))
    if isinstance(answer, TextAnswer) and not answer.is_fault:
        return answer
    raise refusal(answer.text if isinstance(answer, TextAnswer) else "there is no page")


def command(found: Found) -> types.Command:
    """What a client runs to show the page of a finding's rule."""
    return types.Command(title=f"Show documentation of {found.code}", command=SHOW, arguments=[found.name])
