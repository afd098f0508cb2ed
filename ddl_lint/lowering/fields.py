"""The pieces of string literals: literals beside each other, and what is between the braces of an f-string.

Python's parser merges pieces, and before 3.12 it does not know where the expressions in them are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ddl_lint.lowering.places import Doubt
from ddl_lint.source.lexer import Kind, scan
from ddl_lint.source.span import Span

_PREFIX = re.compile(r"[A-Za-z]*")
_BRACE = re.compile(r"[{}]")
_PLAIN = re.compile(r"[^'\"()\[\]{}!:=<>#\\]*")


def literals(text: str) -> Iterator[Span]:
    """Where each literal is in the text of one string."""
    for token in scan(text):
        if token.kind is Kind.STRING:
            yield Span(token.start, token.end)
        elif token.kind not in (Kind.COMMENT, Kind.NEWLINE, Kind.JOIN):
            raise Doubt


def is_formatted(literal: str) -> bool:
    """Whether a literal is an f-string."""
    prefix = _PREFIX.match(literal)
    return prefix is not None and "f" in prefix.group().lower()


def pieces(literal: str) -> Iterator[str | Span]:
    """The texts of an f-string, as they are written, and where the expressions between them are."""
    if "\\N{" in literal:  # these braces are no field, unless the string is raw
        raise Doubt
    start, end = _body(literal)
    text = place = start
    while brace := _BRACE.search(literal, place, end):
        place = brace.end()
        if literal.startswith(brace.group(), place):
            place += 1
            continue
        if brace.group() == "}":
            raise Doubt
        if brace.start() > text:
            yield _written(literal, text, brace.start())
        expression, place = _field(literal, place, end)
        yield expression
        text = place
    if end > text:
        yield _written(literal, text, end)


def _written(literal: str, start: int, end: int) -> str:
    return literal[start:end].replace("{{", "{").replace("}}", "}")


def _body(literal: str) -> tuple[int, int]:
    prefix = _PREFIX.match(literal)
    opening = prefix.end() if prefix is not None else 0
    width = 3 if literal[opening : opening + 3] in ('"""', "'''") and len(literal) - opening >= 6 else 1
    return opening + width, len(literal) - width


def _field(literal: str, start: int, end: int) -> tuple[Span, int]:
    """The expression of the field that opens before `start`, and where the text goes on after the field."""
    place, depth = start, 0
    while True:
        match = _PLAIN.match(literal, place, end)
        place = place if match is None else match.end()
        if place >= end:
            raise Doubt
        sign = literal[place]
        if sign in "'\"":
            place = _string_end(literal, start, place, end)
        elif sign in "([{":
            depth, place = depth + 1, place + 1
        elif sign in ")]}" and depth:
            depth, place = depth - 1, place + 1
        elif sign in "!=<>" and literal.startswith("=", place + 1):
            place += 2
        elif depth or sign in "<>":
            if sign in "#\\":
                raise Doubt
            place += 1
        elif sign in "!:=}":
            return Span(start, place), _field_end(literal, place, end)
        else:
            raise Doubt


def _string_end(literal: str, start: int, quote: int, end: int) -> int:
    while quote > start and literal[quote - 1].isalpha():
        quote -= 1
    token = next(scan(literal, quote, end), None)
    if token is None or token.kind is not Kind.STRING:
        raise Doubt
    return token.end


def _field_end(literal: str, place: int, end: int) -> int:
    """The end of a field from after its expression: a conversion and a format may follow, with fields of its own."""
    while brace := _BRACE.search(literal, place, end):
        if brace.group() == "}":
            return brace.end()
        _, place = _field(literal, brace.end(), end)
    raise Doubt
