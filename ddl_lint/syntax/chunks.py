"""Cuts a text into its top-level statements without parsing it.

Most boundaries are found by a regular expression and a few counts. Only where these leave a doubt (a quote or
bracket that seems open) the statement is scanned. A wrong cut never goes unseen, as its first half does not parse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ddl_lint.source.lexer import Kind, scan
from ddl_lint.syntax.lines import HARD_START


class Chunk(NamedTuple):
    """A top-level statement with the blank lines and comments after it, as offsets of the text."""

    start: int
    end: int


# A line that begins a statement at column 0, rather than going on with one.
_START = re.compile(r"^(?=[^\s#)\]}\\])(?!(?:else|elif|except|finally)\b)", re.MULTILINE)
# Every scan that finds no end reads the rest of the text: few are worth it.
_MAX_FAILED_SCANS = 3


def cut(text: str, start: int = 0, end: int | None = None) -> list[Chunk]:
    """The chunks of `text[start:end]`, without a gap. `start` must be the start of a line.

    Lines must end in `\\n` or `\\r\\n`. Blank lines and comments before the first statement belong to it.
    """
    end = len(text) if end is None else end
    starts = [match.start() for match in _START.finditer(text, start, end)]
    if not starts:
        return [Chunk(start, end)] if end > start else []
    starts.append(end)
    last = len(starts) - 1
    chunks: list[Chunk] = []
    place = failed_scans = 0
    while place < last:
        while True:
            following = place + 1
            if failed_scans < _MAX_FAILED_SCANS and _seems_open(text, starts[place], starts[following]):
                found = _scan_for_end(text, starts, place)
                failed_scans += found is None
                following = found or following
            is_decorator = text[starts[place]] == "@"
            place = following
            if not is_decorator or place == last:
                break
        chunks.append(Chunk(start, starts[place]))
        start = starts[place]
    return chunks


def is_exact(text: str, chunks: Sequence[Chunk]) -> bool:
    """Whether each chunk starts outside any string and bracket, or the text is broken for certain."""
    pending = [chunk.start for chunk in reversed(chunks)]
    pending.pop()
    depth = 0
    for token in scan(text, chunks[0].start, chunks[-1].end):
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        if depth < 0 or token.kind is Kind.UNTERMINATED:
            return True
        if pending and token.end >= pending[-1]:
            if token.end > pending[-1] or depth or token.kind is not Kind.NEWLINE:
                return False
            pending.pop()
    return depth > 0 or not pending


def _seems_open(text: str, start: int, end: int) -> bool:
    return (
        text.count("(", start, end) != text.count(")", start, end)
        or text.count("[", start, end) != text.count("]", start, end)
        or text.count("{", start, end) != text.count("}", start, end)
        or text.count('"""', start, end) % 2 == 1
        or text.count("'''", start, end) % 2 == 1
        or text.endswith(("\\\n", "\\\r\n"), start, end)
    )


def _scan_for_end(text: str, starts: Sequence[int], place: int) -> int | None:
    """The index of the start that follows the statement at `starts[place]`; None if a quote or bracket stays open."""
    depth = 0
    following = place + 1
    last = len(starts) - 1
    swallowed = False
    for token in scan(text, starts[place], starts[-1]):
        if token.kind is Kind.OPEN:
            depth += 1
        elif token.kind is Kind.CLOSE:
            depth = max(0, depth - 1)
        elif token.kind is Kind.UNTERMINATED:
            depth = 0
            swallowed = token.end == starts[last] and following < last
        elif token.kind is Kind.NEWLINE and (not depth or HARD_START.match(text, token.end)):
            while starts[following] < token.end:
                following += 1
            if starts[following] == token.end:
                return following
    return None if depth or swallowed else last
