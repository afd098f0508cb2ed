"""Reads a document statement by statement, by whatever reader: a broken one costs only itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol, TypeVar

from ddl_lint.source.document import Document
from ddl_lint.source.span import Span
from ddl_lint.syntax.chunks import Chunk, cut, is_exact
from ddl_lint.syntax.lines import Damage


class Read(Protocol):
    """What a reader makes of a chunk."""

    @property
    def fault(self) -> Damage | None:
        """What is wrong with the text of the chunk, as offsets of it; None if it is sound."""
        ...


_R = TypeVar("_R", bound=Read)


def read_chunks(document: Document, read: Callable[[str, int], _R]) -> list[tuple[Chunk, _R]]:
    """The chunks of a document in order, and what `read` makes of the text of each and of its offset.

    A text that is cut in the wrong place cannot be read: then it is read as a whole.
    """
    text = _readable(document.text)
    found: list[tuple[Chunk, _R]] = []
    for start, end in [cell.span for cell in document.cells] or [Span(0, len(text))]:
        chunks = cut(text, start, end)
        parts = [read(text[chunk.start : chunk.end], chunk.start) for chunk in chunks]
        if any(part.fault for part in parts) and len(chunks) > 1 and not is_exact(text, chunks):
            whole = read(text[start:end], start)
            if whole.fault is None:
                chunks, parts = [Chunk(start, end)], [whole]
        found += zip(chunks, parts, strict=True)
    return found


_LONE_RETURN = re.compile(r"\r(?!\n)")
_LEADING_FORM_FEED = re.compile(r"^([ \t\f]*)\f(?=[^\s])", re.MULTILINE)
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _readable(text: str) -> str:
    """The text as our readers can take it, of the same length.

    A form feed resets the indentation, as a line end does, and is a blank elsewhere. A lone carriage return is a
    line end. Lone surrogates are no characters.
    """
    if "\r" in text:
        text = _LONE_RETURN.sub("\n", text)
    if "\f" in text:
        text = _LEADING_FORM_FEED.sub(lambda match: " " * len(match.group(1)) + "\n", text).replace("\f", " ")
    if not text.isascii():
        text = _LONE_SURROGATE.sub("\ufffd", text)
        if text.startswith("\ufeff"):
            text = "\n" + text[1:]
    return text
