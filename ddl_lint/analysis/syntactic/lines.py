"""Which statement of a program a line belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ddl_lint.program import code
from ddl_lint.source import Document


@dataclass(frozen=True, slots=True)
class Found:
    """A statement, and the qualified name of the outermost function around it; empty at module level."""

    statement: code.Statement
    function: str


def statement_at(module: code.Module, document: Document, line: int) -> Found | None:
    """The innermost statement on a line (counted from 1); the first of several.

    On the head of a function it is the first statement of its body: coming there means to call it. For `else:` and its
    like it is the first statement of that block. None for lines without code.
    """
    text = document.line_text(line)
    stripped = text.lstrip()
    if not stripped or stripped.startswith("#"):
        return None
    start = document.offset(line, 1)
    end = start + len(text)
    return _find(module.body, start + len(text) - len(stripped), end, "", inside=False)


def _find(body: Sequence[code.Statement], start: int, end: int, function: str, *, inside: bool) -> Found | None:
    for statement in body:
        if _first(statement) >= end:
            # The line ends before this statement begins: it is the head of the block, such as `else:`.
            return Found(statement, function) if inside else None
        if statement.end <= start:
            continue
        return _within(statement, start, end, function)
    return None


def _within(statement: code.Statement, start: int, end: int, function: str) -> Found | None:
    if isinstance(statement, code.Function):
        function = function or statement.qualname
        if not statement.body:
            return None
        if end <= statement.body[0].start:
            return Found(statement.body[0], function)
        return _find(statement.body, start, end, function, inside=False) or Found(statement.body[0], function)
    if isinstance(statement, code.Class):
        found = _find(statement.body, start, end, function, inside=False)
        return found or Found(statement, function)
    if statement.start >= start:
        return Found(statement, function)  # it begins on this line
    for number, block in enumerate(_blocks(statement)):
        if block and block[-1].end > start:
            inside = number > 0 or (isinstance(statement, code.Match) and statement.cases[0].start < end)
            return _find(block, start, end, function, inside=inside) or Found(statement, function)
    return Found(statement, function)


def _first(statement: code.Statement) -> int:
    """Where a statement begins, with its decorators."""
    if isinstance(statement, (code.Function, code.Class)):
        return min([statement.start, *(decorator.start for decorator in statement.decorators)])
    return statement.start


def _blocks(statement: code.Statement) -> Iterator[Sequence[code.Statement]]:
    """The blocks of a compound statement in order."""
    if isinstance(statement, (code.If, code.For, code.While)):
        yield statement.body
        yield statement.orelse
    elif isinstance(statement, code.With):
        yield statement.body
    elif isinstance(statement, code.Try):
        yield statement.body
        yield from (handler.body for handler in statement.handlers)
        yield statement.orelse
        yield statement.final
    elif isinstance(statement, code.Match):
        yield from (case.body for case in statement.cases)
