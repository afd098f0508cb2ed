"""Blocks written anew: some of their statements stay under a guard, the others are for all ranks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from types import MappingProxyType

from ddl_lint.finding import Edit
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.source.lexer import physical_lines
from ddl_lint.source.span import Span

_OPPOSITE = {
    "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in",
    "is": "is not", "is not": "is",
}  # fmt: skip


_NONE: Mapping[Span, str] = MappingProxyType({})


@dataclass(frozen=True)
class Part:
    """Some lines of a block."""

    guarded: bool
    """Whether they are for the ranks that pass the guard only."""

    write: Callable[[str], str]
    """Gives them at an indentation."""


def under(file: File, parts: Sequence[Part], indent: str, header: str, first_header: str = "") -> str:
    """Parts at an indentation, each run of guarded ones under the guard.

    Args:
        file: The file.
        parts: The parts in order.
        indent: Where they are to be.
        header: The guard, `if rank == 0:`.
        first_header: The lines of the first guard where they are taken over as they are.
    """
    written: list[str] = []
    for guarded, run in groupby(parts, lambda part: part.guarded):
        if guarded:
            inner = "".join(part.write(indent + file.indent) for part in run)
            lines = without_blank_head(inner)
            written.append(inner[: len(inner) - len(lines)])
            written.append(first_header or f"{indent}{header}{file.newline}")
            first_header = ""
            written.append(lines)
        else:
            written.extend(part.write(indent) for part in run)
    return "".join(written)


def without_blank_head(lines: str) -> str:
    """Lines without the empty ones that they begin with."""
    return re.sub(r"\A(?:[ \t\f]*(?:\r\n?|\n))+", "", lines)


def lines_at(
    file: File,
    block: Sequence[code.Statement],
    index: int,
    changes: Mapping[Span, str] = _NONE,
    until: int | None = None,
) -> Callable[[str], str]:
    """The lines of a statement, with blank lines and comments before it, for any indentation.

    `changes` are texts to put in the place of expressions; of a compound statement, `until` may end the head.
    """
    statement = block[index]
    start = statement_start(file, statement)
    end = until if until is not None else file.next_line(statement.end)
    if until is None and not file.ends_line(statement.end):
        end = statement.end
    if file.begins_line(start):
        begin = file.next_line(block[index - 1].end) if index else head_end(file, start)
        return lambda indent: _written(file, Span(begin, end), file.indent_at(start), indent, changes)
    return lambda indent: indent + _written(file, Span(start, end), file.indent_at(start), indent, changes)


def statement_start(file: File, statement: code.Statement) -> int:
    """Where a statement begins, with its decorators."""
    return file.place(Span(statement.start, statement.end)).start


def head_end(file: File, start: int) -> int:
    """The line after the head of the block that a statement begins, which has a line of its own."""
    line = file.line_start(start)
    while line:
        above = file.line_start(line - 1)
        text = file.text[above:line].strip()
        if (text and not text.startswith("#")) or file.in_string(above):
            break
        line = above
    return line


def _written(file: File, span: Span, old: str, new: str, changes: Mapping[Span, str]) -> str:
    """The text of a range with another indentation and other expressions."""
    edits = [(place.start, place.end, text) for place, text in changes.items()]
    start = span.start
    while start < span.end:
        if (
            file.line_start(start) == start
            and not file.in_string(start)
            and file.text.startswith(old, start)
            and file.text[start : file.line_end(start)].strip()
        ):
            edits.append((start, start + len(old), new))
        following = file.next_line(start)
        if following <= start:
            break
        start = following
    parts: list[str] = []
    position = span.start
    for begin, end, text in sorted(edits):
        if begin < position or end > span.end:
            continue
        parts.extend((file.text[position:begin], text))
        position = end
    lines = "".join(parts) + file.text[position : span.end]
    return lines if lines.endswith(("\n", "\r")) else lines + file.newline


def rewritten(file: File, span: Span, new: str) -> tuple[Edit, ...]:
    """The edits that make other lines of some lines, and leave those alone that stay."""
    old_lines, new_lines = physical_lines(file.text[span.start : span.end]), physical_lines(new)
    if old_lines and new_lines and not old_lines[-1].endswith(("\n", "\r")):
        new_lines[-1] = new_lines[-1].rstrip("\r\n")  # the last line of the text has no end
    starts = [span.start]
    for line in old_lines:
        starts.append(starts[-1] + len(line))
    return tuple(
        file.edit(starts[first], starts[last], "".join(new_lines[begin:end]))
        for kind, first, last, begin, end in SequenceMatcher(None, old_lines, new_lines, autojunk=False).get_opcodes()
        if kind != "equal"
    )


def negated(file: File, test: code.Expression) -> str:
    """The text of the opposite of a condition."""
    if isinstance(test, code.Unary) and test.operator == "not":
        return file.source(test.operand)
    if isinstance(test, code.Compare) and len(test.comparisons) == 1:
        operator, right = test.comparisons[0]
        if operator in _OPPOSITE:
            left = test.left
            between = file.text[left.end : right.start]
            spaced = re.sub(r"\s+", " ", between)
            found = re.sub(rf"(?<![\w!<>=]){re.escape(operator)}(?![\w=])", _OPPOSITE[operator], spaced)
            if found == spaced:
                raise Unfixable("the opposite of the condition cannot be written down")
            return f"{file.text[test.start : left.end]}{found}{file.text[right.start : test.end]}"
    if isinstance(test, (code.Name, code.Attribute, code.Call, code.Subscript)):
        return f"not {file.source(test)}"
    if isinstance(test, code.Walrus):
        raise Unfixable("the condition cannot be evaluated a second time")
    return f"not ({file.source(test)})"
