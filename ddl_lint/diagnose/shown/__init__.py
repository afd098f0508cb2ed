"""Shows an answer: one module per format."""

from __future__ import annotations

from ddl_lint.diagnose.answer import Answer
from ddl_lint.diagnose.shown.look import Look

FORMATS = ("text", "json", "html")


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
