"""Text in the cells of a terminal: how wide it is, and how to make it fit."""

from __future__ import annotations

import unicodedata

from ddl_lint.escape import is_printable, same_width

_JOINERS = "\u200c\u200d"


def printable(text: str) -> str:
    """A text on one line, without what would act on the terminal or on a CI system, each sign in a place of its own."""
    text = same_width(text)
    return "".join(character if is_printable(character) else "\N{REPLACEMENT CHARACTER}" for character in text)


def width_of(text: str) -> int:
    """The number of cells that a text takes."""
    return len(text) if text.isascii() else sum(map(character_width, text))


def character_width(character: str) -> int:
    """The number of cells that a character takes."""
    if unicodedata.combining(character) or character in _JOINERS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int) -> str:
    """A text with spaces after it."""
    return text + " " * (width - width_of(text))


def clipped(text: str, width: int, *, keep_end: bool = False) -> str:
    """A text that takes no more than so many cells, with a sign where its end (or its start) is cut off."""
    if width_of(text) <= width:
        return text
    if keep_end:
        return clipped(text[::-1], width)[::-1]
    used, end = 1, 0
    while end < len(text) and used + character_width(text[end]) <= width:
        used += character_width(text[end])
        end += 1
    return text[:end] + "…"


def wrapped(text: str, width: int) -> list[str]:
    """A text as lines of at most so many cells, broken between words where that is possible."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if width_of(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        while width_of(word) > width:
            length = 1
            while width_of(word[: length + 1]) <= width:
                length += 1
            lines.append(word[:length])
            word = word[length:]
        line = word
    return [*lines, line] if line else lines
