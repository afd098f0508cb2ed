"""Text of the checked project as HTML or SVG. All of it goes through here."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from ddl_lint.output.cells import printable


def escaped(words: str) -> str:
    """A text on one line that is only text in SVG and HTML."""
    return escape(printable(words))


def escaped_lines(text: str) -> str:
    """A text of several lines that is only text in HTML."""
    return "\n".join(map(escaped, text.splitlines())) + "\n"


def with_code(text: str, plain: Callable[[str], str] = escaped) -> str:
    """A text with code between backquotes, the only markup that our texts have; `plain` writes what is around it."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backquote of the checked code
        return plain(text)
    return "".join(f"<code>{escaped(part)}</code>" if odd % 2 else plain(part) for odd, part in enumerate(parts))
