"""Where and what a syntax error is, from libcst's refusal.

libcst names the token after the offending one, and for errors of its tokenizer no place at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from ddl_lint.source.lexer import Kind, scan
from ddl_lint.source.span import Span
from ddl_lint.syntax.limits import find_excess
from ddl_lint.syntax.lines import Damage, Line, find_damage

_PLACE = re.compile(r"error at (\d+):(\d+): expected (?:one of )?(.*)", re.DOTALL)
_WORD_OR_SIGN = re.compile(r"\w+|[^\w\s]")
_BLOCK_WORD = re.compile(r"(?:async|class|def|elif|else|except|finally|for|if|match|case|try|while|with)\b")
_LINE_END = re.compile(r"\r\n?|\n")


def find_fault(source: str, lines: Sequence[Line], error: Exception) -> Damage:
    """The fault that a person should look at, with its place in `source`, whose logical lines are `lines`."""
    if damages := find_damage(lines):
        return damages[0]
    message = _message(error)
    if place := _PLACE.search(message):
        offset = _offset(source, int(place.group(1)), int(place.group(2)))
        return _before(source, lines, offset, place.group(3).split(", "))
    return _unreadable_token(source, lines, message)


def error_offset(source: str, error: Exception) -> int:
    """How far the parser came; -1 if it did not start, because the text has no tokens."""
    place = _PLACE.search(_message(error))
    return _offset(source, int(place.group(1)), int(place.group(2))) if place else -1


def _message(error: Exception) -> str:
    return error.message if isinstance(error, cst.ParserSyntaxError) else str(error)


def _before(source: str, lines: Sequence[Line], offset: int, expected: Sequence[str]) -> Damage:
    """The fault at the token before `offset`."""
    code = [line for line in lines if line.code_end > line.start]
    place = max((index for index, line in enumerate(code) if line.start <= offset), default=0)
    line = code[place] if code else Line(0, len(source), len(source), "", None)
    if offset <= line.start or (offset >= line.code_end and place == len(code) - 1 and offset == len(source)):
        if "pass" in expected and offset == line.start and line.indent:
            return Damage(Span(line.start, line.code_end), "unexpected indentation")
        if offset <= line.start and place:
            line = code[place - 1]
        return _at_line_end(source, line, expected)
    token = _last_token(source, line, offset)
    if expected == ["INDENT"]:
        return Damage(token, "expected an indented block")
    if expected == ["except", "finally"]:
        return Damage(token, "expected 'except' or 'finally' before this")
    if "def" in expected and "@" in expected and "pass" not in expected:
        return Damage(token, "expected a function or class after the decorator")
    if source[token.end - 1 : token.end] in ("'", '"'):
        return Damage(token, "unexpected string")
    return Damage(token, f"unexpected '{source[token.start : token.end]}'")


def _at_line_end(source: str, line: Line, expected: Sequence[str]) -> Damage:
    token = _last_token(source, line, line.code_end)
    if expected == ["INDENT"]:
        return Damage(token, "expected an indented block after this line")
    if expected == ["except", "finally"]:
        return Damage(token, "expected 'except' or 'finally' after this block")
    if ":" in expected and _BLOCK_WORD.match(source, line.start):
        return Damage(token, "expected ':' at the end of this line")
    return Damage(token, "the statement is not complete")


def _last_token(source: str, line: Line, offset: int) -> Span:
    """The last string, word or sign of a line that ends before `offset`."""
    stop = max(min(offset, line.code_end), line.start)
    found = Span(line.start, max(stop, line.start))
    gap = line.start
    for token in (*scan(source, line.start, stop), None):
        for word in _WORD_OR_SIGN.finditer(source, gap, token.start if token else stop):
            found = Span(*word.span())
        if token:
            gap = token.end
            if token.kind in (Kind.STRING, Kind.OPEN, Kind.CLOSE, Kind.UNTERMINATED):
                found = Span(token.start, token.end)
    return found


def _unreadable_token(source: str, lines: Sequence[Line], message: str) -> Damage:
    """The first logical line that the tokenizer refuses."""
    reason = message.removeprefix("tokenizer error: ")
    for line in lines:
        code = source[line.start : line.end]
        if find_excess(code) is not None:
            continue
        try:
            cst.parse_module(code)
        except cst.CSTValidationError:  # libcst's parser takes `return*x`, its tree does not
            return Damage(Span(line.start, line.code_end), reason)
        except cst.ParserSyntaxError as error:
            if error.message.startswith("tokenizer error: "):
                return Damage(Span(line.start, line.code_end), error.message.removeprefix("tokenizer error: "))
    first = lines[0] if lines else None
    return Damage(Span(first.start, first.code_end) if first else Span(0, 0), reason)


def _offset(source: str, line: int, column: int) -> int:
    position = 0
    for _ in range(line - 1):
        match = _LINE_END.search(source, position)
        if match is None:
            return len(source)
        position = match.end()
    return min(position + column, len(source))
