"""What is written at a place, on one line, for people to recognise it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ddl_lint.source import Document
from ddl_lint.source.lexer import Kind, scan
from ddl_lint.source.span import Location

_LONGEST = 60


def excerpt(location: Location, documents: Mapping[str, Document], longest: int = _LONGEST) -> str:
    """The source text of a place on one line, without comments and cut to so many characters.

    It is empty when the file is not known.
    """
    document = documents.get(location.path)
    if document is None:
        return ""
    source, parts, done = document.text, list[str](), location.start
    for token in scan(source, location.start, location.end):
        if token.kind is Kind.COMMENT:
            parts.append(source[done : token.start])
            done = token.end
    text = " ".join("".join((*parts, source[done : location.end])).split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def head(location: Location, documents: Mapping[str, Document]) -> str:
    """The head of a loop or `case`, without its colon; conditions and comprehensions are shown whole."""
    document = documents.get(location.path)
    if document is None or not _COMPOUND.match(document.text, location.start):
        return excerpt(location, documents)
    end, depth = location.end, 0
    for token in scan(document.text, location.start, location.end):
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        if not depth and token.kind in (Kind.COMMENT, Kind.NEWLINE):
            end = token.start
            break
    line = document.text[location.start : end].rstrip().removesuffix(":")
    return excerpt(Location(location.path, location.start, location.start + len(line)), documents)


_COMPOUND = re.compile(r"(?:async\s+for|for|while|case)\b")
