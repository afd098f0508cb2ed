"""Text in Markdown that says nothing but itself: names of the checked code make no links, images or headings."""

from __future__ import annotations

import re

_SIGNS = re.compile(r"([\\`*\[\]<>~&])")


def plain(text: str) -> str:
    """A text with `code` in it; all else of it is only text."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backquote of the checked code
        return _SIGNS.sub(r"\\\1", text)
    return "".join(
        (f"`{part}`" if part else "") if index % 2 else _SIGNS.sub(r"\\\1", part) for index, part in enumerate(parts)
    )
