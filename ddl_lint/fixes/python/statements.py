"""Edits of whole statements: insert, remove, guard, move. Each raises `Unfixable` where the layout forbids it."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.finding import Edit
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.layout import as_lines, comment_start, lines_of, reindented, shifted
from ddl_lint.fixes.python.scope import names_bound, names_read
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.source.span import Span

Edits = tuple[Edit, ...]


# --- insert -----------------------------------------------------------------------------------------------------------


def insert_before(place: Place, new: str) -> Edits:
    """New statements right before one, above the comment that belongs to it."""
    file = place.file
    if place.is_elif:
        raise Unfixable("there is no place for a statement before an `elif`")
    if not file.begins_line(place.start):
        return (file.edit(place.start, place.start, _inline(new)),)
    start = comment_start(place)
    return (file.edit(start, start, as_lines(file, new, file.indent_at(place.start))),)


def insert_after(place: Place, new: str) -> Edits:
    """New statements right after one."""
    file = place.file
    if not file.begins_line(place.start) or not file.ends_line(place.end):
        if isinstance(place.statement, (code.If, code.For, code.While, code.With, code.Try, code.Match)):
            raise Unfixable("another statement is on the same line")
        return (file.edit(place.end, place.end, "; " + _inline(new).removesuffix("; ")),)
    return (_insert_line(file, place.end, as_lines(file, new, file.indent_at(place.start))),)


def insert_first(file: File, block: Sequence[code.Statement], new: str) -> Edits:
    """New statements at the head of a block, after its docstring if it has one."""
    place = file.place(Span(block[0].start, block[0].end))
    first = block[0]
    is_docstring = (
        isinstance(first, code.Evaluate)
        and isinstance(first.value, code.Literal)
        and isinstance(first.value.value, str)
        and (not place.owners or isinstance(place.owners[-1], (code.Function, code.Class)))
    )
    if is_docstring:
        return insert_after(place, new)
    return insert_before(place, new)


def _inline(new: str) -> str:
    """Simple statements before another one in its line."""
    lines = new.strip().splitlines()
    if any(line.startswith((" ", "\t")) or line.endswith(":") for line in lines):
        raise Unfixable("the statement has no line of its own")
    return "".join(f"{line}; " for line in lines)


def _insert_line(file: File, offset: int, lines: str) -> Edit:
    """Lines after that of an offset."""
    start = file.next_line(offset)
    if start == file.line_end(offset):  # the last line of the text has no end
        return file.edit(start, start, file.newline + lines.removesuffix(file.newline))
    return file.edit(start, start, lines)


# --- remove and replace -----------------------------------------------------------------------------------------------


def remove(place: Place) -> Edits:
    """A statement away, with the comment right above it; `pass` in its place where its block would be empty."""
    file = place.file
    if len(place.block) == 1:
        return (file.edit(place.start, place.end, "pass"),)
    span = lines_of(place)
    return (file.edit(span.start, span.end, ""),)


def replace_statement(place: Place, new: str) -> Edits:
    """Other statements in the place of one."""
    file = place.file
    if not place.has_own_lines:
        return (file.edit(place.start, place.end, _inline(new).removesuffix("; ")),)
    indent = file.indent_at(place.start)
    lines = as_lines(file, new, indent).removesuffix(file.newline)
    return (file.edit(place.start, place.end, lines.removeprefix(indent)),)


# --- guards -----------------------------------------------------------------------------------------------------------


def wrap(first: Place, header: str, last: Place | None = None) -> Edits:
    """A statement, or a stretch of statements of one block, under a header such as `if rank == 0:`."""
    file, last = first.file, last or first
    if first.is_elif or not file.begins_line(first.start) or not file.ends_line(last.end):
        raise Unfixable("another statement is on the same line")
    indent = file.indent_at(first.start)
    start = file.line_start(first.start)
    lines = shifted(file, Span(start, file.next_line(last.end)), indent, indent + file.indent)
    return (file.edit(start, start, f"{indent}{header}{file.newline}"), *lines)


def unwrap(place: Place) -> Edits:
    """The body of an `if` without the `if`.

    Raises:
        Unfixable: there is an `else`, or the body is on the line of the `if`.
    """
    file, guard = place.file, place.statement
    if not isinstance(guard, (code.If, code.With)) or (isinstance(guard, code.If) and guard.orelse) or place.is_elif:
        raise Unfixable("the condition has another branch")
    body = guard.body[0]
    if not file.begins_line(body.start) or not file.ends_line(guard.end):
        raise Unfixable("the condition and its block are on one line")
    outer, inner = file.indent_at(place.start), file.indent_at(body.start)
    head = Span(file.line_start(place.start), comment_start(file.place(Span(body.start, body.end))))
    if not inner.startswith(outer):
        raise Unfixable("the lines are indented in different ways")
    rest = Span(head.end, file.next_line(guard.end))
    kept = _comments(file, head, outer)
    return (file.edit(head.start, head.end, kept), *shifted(file, rest, inner, outer))


def _comments(file: File, span: Span, indent: str) -> str:
    """The comments of some lines, each on a line of its own."""
    from ddl_lint.source.lexer import Kind, scan

    found = [file.text[t.start : t.end] for t in scan(file.text, span.start, span.end) if t.kind is Kind.COMMENT]
    return "".join(f"{indent}{comment}{file.newline}" for comment in found)


def move_out(place: Place, guard: Place) -> Edits:
    """A statement out of the arm of an `if`, with those before it in the arm that make what it reads.

    What comes before it in the arm stays before it, what comes after it stays after it; where both exist, the guard is
    written a second time.

    Raises:
        Unfixable: it is not directly in the first arm, or the layout forbids it.
    """
    file, condition = place.file, guard.statement
    if not isinstance(condition, code.If):
        raise Unfixable("the condition on the rank is not an `if` here")
    if guard.is_elif or not any(statement is place.statement for statement in condition.body):
        raise Unfixable("it is nested deeper than the branch of the rank check, or in its `else`")
    taken = _needed(condition.body, place.index)
    if len(taken) == len(condition.body) and not condition.orelse:
        return unwrap(guard)
    outer, inner = file.indent_at(guard.start), file.indent_at(place.start)
    spans = [lines_of(file.place(Span(each.start, each.end))) for each in (condition.body[i] for i in taken)]
    lines = "".join(reindented(file, span, inner, outer) for span in spans)
    gone = [file.edit(span.start, span.end, "") for span in spans]
    first, last = taken[0], taken[-1]
    rest = [index for index in range(len(condition.body)) if index not in taken]
    if not rest:
        # All of the arm goes, and the other arm stays.
        only = condition.body[0]
        empty = file.edit(file.line_start(only.start), file.line_start(only.start), f"{inner}pass{file.newline}")
        start = comment_start(guard)
        return (file.edit(start, start, lines), empty, *gone)
    if all(index > last for index in rest):
        start = comment_start(guard)
        return (file.edit(start, start, lines), *gone)
    if all(index < first for index in rest):
        return (*gone, _insert_line(file, guard.end, lines))
    if not condition.orelse and all(index < first or index > last for index in rest):
        if any(isinstance(node, code.Walrus) for node in _walk(condition.test)):
            raise Unfixable("the condition cannot be evaluated a second time")
        # The arm is cut in two, and the moved lines are between.
        start, end = spans[0].start, spans[-1].end
        header = file.text[file.line_start(guard.start) : _header_end(file, condition)]
        if "\n" in header or "\r" in header:
            raise Unfixable("the condition spans several lines and would have to be written twice")
        return (file.edit(start, end, f"{lines}{header}{file.newline}"),)
    raise Unfixable("what it needs is created in several places of the block")


def _walk(node: object) -> Sequence[object]:
    from ddl_lint.fixes.python.tree import walk

    return list(walk(node))


def _header_end(file: File, condition: code.If) -> int:
    """The offset after the colon of an `if`."""
    found = file.text.find(":", condition.test.end)
    return found + 1


def _needed(body: Sequence[code.Statement], index: int) -> list[int]:
    """The statement, and those before it that bind what it reads or what they read."""
    taken = [index]
    wanted = names_read(body[index])
    for earlier in range(index - 1, -1, -1):
        if names_bound(body[earlier]) & wanted:
            taken.append(earlier)
            wanted |= names_read(body[earlier])
    return sorted(taken)


def move_before(moved: Sequence[Place], target: Place) -> Edits:
    """Statements before an earlier one of the same block, in their order."""
    file = target.file
    if any(place.block is not target.block for place in moved):
        raise Unfixable("the two places are not in one block")
    if target.is_elif or not file.begins_line(target.start):
        raise Unfixable("another statement is on the same line")
    spans = [lines_of(place) for place in moved]
    parts = [file.text[span.start : span.end] for span in spans]
    lines = "".join(part if part.endswith(("\n", "\r")) else part + file.newline for part in parts)
    start = comment_start(target)
    gone = [file.edit(span.start, _behind_gap(file, span), "") for span in spans]
    return (file.edit(start, start, lines), *gone)


def move_after(moved: Sequence[Place], target: Place) -> Edits:
    """Statements moved after a later one of the same block, in their order."""
    file = target.file
    if any(place.block is not target.block for place in moved):
        raise Unfixable("the two places are not in one block")
    if not file.begins_line(target.start) or not file.ends_line(target.end):
        raise Unfixable("another statement is on the same line")
    spans = [lines_of(place) for place in moved]
    parts = [file.text[span.start : span.end] for span in spans]
    lines = "".join(part if part.endswith(("\n", "\r")) else part + file.newline for part in parts)
    gone = [file.edit(span.start, _behind_gap(file, span), "") for span in spans]
    return (*gone, _insert_line(file, target.end, lines))


def _behind_gap(file: File, span: Span) -> int:
    """The end of lines that are taken away, with the blank line after them where one comes before them, too."""
    above = file.text[file.line_start(span.start - 1) : span.start] if span.start else ""
    end = file.next_line(span.end)
    return end if span.end < end and not above.strip() and not file.text[span.end : end].strip() else span.end
