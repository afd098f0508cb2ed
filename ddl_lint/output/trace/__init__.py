"""Shows what ranks do together: one module per format, and `render` for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.output.trace import html, json, mermaid, svg, text
from ddl_lint.output.trace.who import who
from ddl_lint.source.document import Document

__all__ = ["FORMATS", "render", "who"]

_FORMATS: dict[str, Callable[[Communication, Mapping[str, Document]], str]] = {
    "json": json.render,
    "mermaid": mermaid.render,
    "svg": svg.render,
    "html": html.render,
}

FORMATS = ("text", *_FORMATS)


def render(
    communication: Communication,
    documents: Mapping[str, Document],
    format: str,
    *,
    width: int = 100,
    colour: bool = False,
) -> str:
    """A table as a text.

    Args:
        communication: What is to be shown.
        documents: The documents that it points into, by path.
        format: One of `FORMATS`.
        width: The number of characters of a line of the format `text`.
        colour: Whether to colour that format.
    """
    if format == "text":
        return text.render(communication, documents, width=width, colour=colour)
    return _FORMATS[format](communication, documents)
