"""A small scanner of Python text: strings, comments, brackets and line ends, nothing else.

It never fails. Broken text gives `UNTERMINATED` tokens and brackets that do not pair up, which is what
the callers want to know about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from ddl_lint.source.document import NEWLINE
from ddl_lint.source.span import Span


class Kind(IntEnum):
    """What a token is."""

    COMMENT = 1
    STRING = 2
    OPEN = 3
    CLOSE = 4
    NEWLINE = 5
    JOIN = 6  # a backslash, with the line end that it hides if there is one
    UNTERMINATED = 7  # a string that never ends: to the end of its line, or of the text if it is triple-quoted


class Token(NamedTuple):
    """A token and where it is. A string's prefix letters belong to the string."""

    kind: Kind
    start: int
    end: int


_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


def physical_lines(text: str) -> list[str]:
    """The lines of a source text with their line ends. Unlike `str.splitlines`, only Python's line ends count."""
    return _LINE.findall(text)


# The six groups are numbered like `Kind`.
_TOKEN = re.compile(
    r"""[^'"\#\\()\[\]{}\r\n]*(?:(\#[^\r\n]*)|("{3}|'{3}|["'])|([(\[{])|([)\]}])|(\r\n?|\n)|(\\(?:\r\n?|\n)?))""",
    re.VERBOSE,
)
_KINDS = (Kind.COMMENT, *Kind)
_STRING_REST = {
    '"': re.compile(r'[^"\\\r\n]*(?:\\(?:\r\n|[\s\S])[^"\\\r\n]*)*"'),
    "'": re.compile(r"[^'\\\r\n]*(?:\\(?:\r\n|[\s\S])[^'\\\r\n]*)*'"),
    '"""': re.compile(r'[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*"""'),
    "'''": re.compile(r"[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*'''"),
}
_LINE_REST = re.compile(r"[^\r\n]*")
_PREFIX = re.compile(r"(?i)(?<!\w)(?:[rbuft]|[fbt]r|r[fbt])\Z")
_FIELD_STOP = {quote: re.compile(rf"\\N\{{[^}}]*\}}|\\[^{{}}]|\{{\{{|\{{|{quote}") for quote in _STRING_REST}
_MAX_FIELD = 1000  # characters of one field of an f-string; bounds the time that broken text can take


def scan(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of `text[start:end]`. `start` must be outside any string."""
    return _scan(text, start, len(text) if end is None else end, True)


def _scan(text: str, start: int, end: int, nests: bool) -> Iterator[Token]:
    match = _TOKEN.match(text, start, end)
    while match:
        kind = _KINDS[match.lastindex or 0]
        token_start, position = match.span(kind)
        if kind is Kind.STRING:
            opening, token_start = token_start, _prefix_start(text, token_start, start)
            found = _string_end(text, token_start, opening, position, end, nests)
            if found is None:
                kind = Kind.UNTERMINATED
                found = end if position - opening == 3 else _line_end(text, position, end)
            position = found
        yield Token(kind, token_start, position)
        match = _TOKEN.match(text, position, end)


def _line_end(text: str, start: int, end: int) -> int:
    match = _LINE_REST.match(text, start, end)
    return match.end() if match else end


def _prefix_start(text: str, quote: int, start: int) -> int:
    """Where the string begins whose first quote is at `quote`."""
    low = max(start, quote - 3)
    match = _PREFIX.search(text[low:quote]) if quote > low and text[quote - 1].isalpha() else None
    return low + match.start() if match else quote


def _string_end(text: str, start: int, opening: int, body: int, end: int, nests: bool) -> int | None:
    match = _STRING_REST[text[opening:body]].match(text, body, end)
    prefix = text[start:opening]
    if not prefix or not nests or ("f" not in prefix.lower() and "t" not in prefix.lower()):
        return match.end() if match else None
    if match and text.count("{", body, match.end()) == text.count("}", body, match.end()):
        return match.end()  # no field is cut by this quote: the same under old and new grammars
    nested = _nested_end(text, body, text[opening:body], end)
    return nested or (match.end() if match else None)


def _nested_end(text: str, body: int, quote: str, end: int) -> int | None:
    """The end of an f-string whose fields may hold the very quotes that delimit it (PEP 701), one level deep."""
    position = body
    while match := _FIELD_STOP[quote].search(text, position, end):
        if len(quote) == 1 and NEWLINE.search(text, position, match.start()):
            return None
        position = match.end()
        if match.group() == quote:
            return position
        if match.group() == "{":
            depth = 1
            for token in _scan(text, position, min(end, position + _MAX_FIELD), False):
                if token.kind is Kind.UNTERMINATED:
                    return None
                depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
                if not depth:
                    position = token.end
                    break
            else:
                return None
    return None


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One statement line with all physical lines that it spans, or a line that holds only a comment.

    `start` is the first character that is not blank, `end` the place before the line end;
    `code_end` is where the code stops and equals `start` when there is none.
    """

    start: int
    end: int
    code_end: int
    comments: tuple[Span, ...]
    is_string: bool

    @property
    def has_code(self) -> bool:
        """Whether there is more than a comment."""
        return self.code_end > self.start


_BLANK = re.compile(r"[ \t\f]*")


def logical_lines(text: str, start: int = 0, end: int | None = None) -> Iterator[LogicalLine]:
    """The logical lines of `text[start:end]`, blank lines left out."""
    end = len(text) if end is None else end
    while start < end:
        line, start = logical_line(text, start, end)
        if line.end > line.start:
            yield line


def logical_line(text: str, start: int, end: int) -> tuple[LogicalLine, int]:
    """The logical line that begins at `start`, which must be the start of a line, and where the next one begins."""
    blank = _BLANK.match(text, start, end)
    first = blank.end() if blank else start
    comments: list[Span] = []
    strings: list[Token] = []
    depth = 0
    stop = next_line = end
    for token in scan(text, first, end):
        if token.kind is Kind.COMMENT:
            comments.append(Span(token.start, token.end))
        elif token.kind is Kind.STRING:
            strings.append(token)
        elif token.kind is Kind.OPEN:
            depth += 1
        elif token.kind is Kind.CLOSE:
            depth = max(0, depth - 1)
        elif token.kind is Kind.NEWLINE and not depth:
            stop, next_line = token.start, token.end
            break
    code_stop = comments[-1].start if comments and comments[-1].end == stop else stop
    code_end = first + len(text[first:code_stop].rstrip())
    is_string = len(strings) == 1 and (strings[0].start, strings[0].end) == (first, code_end)
    return LogicalLine(first, stop, code_end, tuple(comments), is_string), next_line
