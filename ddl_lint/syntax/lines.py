"""The logical lines of broken code, and what a scanner can say about the damage in each.

The parser tells nothing about unterminated strings and open brackets but that there are some. Here a bracket
ends at a line that cannot be inside one, and a string at the end of its line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ddl_lint.source.fault import SyntaxFault
from ddl_lint.source.lexer import Kind, Token, scan
from ddl_lint.source.span import Span

HARD_START = re.compile(
    r"[ \t]*(?:(?:def|class|import|while|with|try|return|raise|del|global|nonlocal|assert|pass|break|continue)\b"
    r"|async[ \t]+(?:def|with)\b|from[ \t]+[.\w]+[ \t]+import\b|@[A-Za-z_])"
)
"""Matches a line that begins a statement for certain: no line inside brackets begins like this."""

# Lines that look more like statements than like parts of an expression: spaces around `=`, or a colon at the end.
_SOFT_START = re.compile(
    r"[ \t]*(?:[A-Za-z_][\w.]*[ \t]+[-+*/%|&@]?=[ \t][^\r\n]*[^,\r\n](?=[\r\n]|\Z)"
    r"|(?:if|for|elif|else|except|finally)\b[^\r\n]*:[ \t]*(?=[\r\n#]|\Z))"
)
_BLANK = re.compile(r"[ \t]*")
_LINE_REST = re.compile(r"[^\r\n]*")
_NEXT_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)?")
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Damage:
    """A fault and where it is."""

    span: Span
    message: str
    is_legal: bool = False
    """Whether Python would take the code: only we do not read it."""

    def at(self, start: int) -> SyntaxFault:
        """The same in a document in which the text that it counts from begins at `start`."""
        return SyntaxFault(Span(start + self.span.start, start + self.span.end), self.message, self.is_legal)


@dataclass(frozen=True, slots=True)
class Line:
    """A logical line: `start` is its first character that is not blank, `end` the place before its line end.

    `indent` is the blank text before it, and `code_end` the end of its code (`start` if there is only a comment).
    """

    start: int
    end: int
    code_end: int
    indent: str
    damage: Damage | None


def split_lines(text: str) -> list[Line]:
    """The logical lines of a source text, blank ones left out."""
    lines: list[Line] = []
    position = 0
    soft = False
    while position < len(text):
        line, following = _read_line(text, position, soft)
        if line is None:  # from here on, trust the indentation to tell where a bracket should have been closed
            soft = True
            continue
        if line.end > line.start:
            lines.append(line)
        position = following
    return lines


def find_damage(lines: Sequence[Line]) -> list[Damage]:
    """What the scanner found, in the order of the text; the first line with an impossible indentation is added."""
    found = [line.damage for line in lines if line.damage]
    levels = [""]
    for line in lines:
        if line.code_end == line.start:
            continue
        if line.indent != levels[-1] and line.indent.startswith(levels[-1]):
            levels.append(line.indent)
        while levels and levels[-1] != line.indent:
            levels.pop()
        if not levels:
            message = "the indentation matches no outer block, or mixes tabs and spaces"
            found.append(Damage(Span(line.start - len(line.indent), line.code_end), message))
            break
    return sorted(found, key=lambda damage: damage.span)


def without_tail(text: str) -> str:
    """The text up to its last line of code. libcst loses characters of comments and blanks after that."""
    end = len(text)
    while end:
        start = text.rfind("\n", 0, end - 1) + 1
        line = text[start:end].strip()
        if line and (not line.startswith("#") or '"""' in line or "'''" in line):
            break  # code, or the end of a string that looks like a comment
        end = start
    return text if text.endswith(("\\\n", "\\\r\n"), 0, end) else text[:end]


def _read_line(text: str, position: int, soft: bool) -> tuple[Line | None, int]:
    """The logical line at `position` and where the next one begins; no line if a bracket in it is never closed.

    With `soft` there always is one: an open bracket ends where the indentation falls back to that of the line,
    or where something like a statement begins.
    """
    blank = _BLANK.match(text, position)
    start = blank.end() if blank else position
    indent = text[position:start]
    opened: list[Token] = []
    damage: Damage | None = None
    comment: Token | None = None
    end = following = len(text)
    for token in scan(text, start):
        kind = token.kind
        if kind is Kind.COMMENT:
            comment = token
        elif kind is Kind.OPEN:
            opened.append(token)
        elif kind is Kind.CLOSE:
            sign = text[token.start]
            if opened and text[opened[-1].start] == _PAIRS[sign]:
                opened.pop()
            elif damage is None:
                other = f"does not match '{text[opened[-1].start]}'" if opened else "was never opened"
                damage = Damage(Span(token.start, token.end), f"'{sign}' {other}")
                opened.clear()
        elif kind is Kind.UNTERMINATED:
            stop = _line_stop(text, token.start)
            damage = damage or Damage(Span(token.start, stop), "the string is never closed")
            end, following = stop, _line_after(text, stop)
            break
        elif kind is Kind.NEWLINE:
            if opened and not HARD_START.match(text, token.end) and not (soft and _seems_new(text, token.end, indent)):
                continue
            end, following = token.start, token.end
            break
    if opened and not soft and damage is None:
        return None, position
    if opened and damage is None:
        sign = opened[-1]
        damage = Damage(Span(sign.start, sign.end), f"'{text[sign.start]}' was never closed")
    code_stop = comment.start if comment and comment.end == end else end
    code_end = start + len(text[start:code_stop].rstrip())
    return Line(start, end, code_end, indent, damage), following


def _seems_new(text: str, position: int, indent: str) -> bool:
    blank = _BLANK.match(text, position)
    start = blank.end() if blank else position
    falls_back = start - position <= len(indent) and start < len(text) and text[start] not in "\r\n#)]}"
    return falls_back or _SOFT_START.match(text, position) is not None


def _line_stop(text: str, position: int) -> int:
    match = _LINE_REST.match(text, position)
    return match.end() if match else len(text)


def _line_after(text: str, position: int) -> int:
    match = _NEXT_LINE.match(text, position)
    return match.end() if match else len(text)
