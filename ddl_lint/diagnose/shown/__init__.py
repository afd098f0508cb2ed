"""Shows an answer: one module per format."""

from __future__ import annotations

from dataclasses import dataclass

from ddl_lint.diagnose.answer import Answer

FORMATS = ("text", "json", "html")


@dataclass(frozen=True, slots=True)
class Look:
    """How an answer is to be shown."""

    width: int = 100
    colour: bool = False
    redact: bool = False
    """Whether to leave out what should not be handed on: secrets, users, hosts and the folders that files are in."""


def render(answer: Answer, format: str, look: Look) -> str:
    """An answer in one of `FORMATS`."""
    if format == "json":
        from ddl_lint.diagnose.shown import json

        return json.render(answer, look)
    if format == "html":
        from ddl_lint.diagnose.shown import html

        return html.render(answer, look)
    from ddl_lint.diagnose.shown import text

    return text.render(answer, look)
