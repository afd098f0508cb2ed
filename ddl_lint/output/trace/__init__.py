"""Shows what ranks do together: one module per format, and `render` for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.escape import harmless_markup
from ddl_lint.output.trace import html, json, mermaid, svg, text
from ddl_lint.output.trace.presentation import Focus, Links, Presentation, is_web_address
from ddl_lint.output.trace.who import places, who
from ddl_lint.source.document import Document

__all__ = ["FORMATS", "Focus", "Links", "Presentation", "is_web_address", "places", "render", "who"]

_FORMATS: dict[str, Callable[[Communication, Mapping[str, Document], Presentation], str]] = {
    "text": text.render,
    "json": json.render,
    "mermaid": mermaid.render,
    "svg": svg.render,
    "html": html.render,
}

FORMATS = tuple(_FORMATS)

_PLAIN = Presentation()


def render(
    communication: Communication,
    documents: Mapping[str, Document],
    format: str,
    presentation: Presentation = _PLAIN,
) -> str:
    """A table as a string.

    Args:
        communication: What is to be shown.
        documents: The documents that it points into, by path.
        format: One of `FORMATS`.
        presentation: For which width, with which links, opened where.
    """
    text = _FORMATS[format](communication, documents, presentation)
    return harmless_markup(text) if format in ("svg", "html") else text
