"""New code in the habits of a file, and old code at another indentation."""

from __future__ import annotations

import ast

from ddl_lint.finding import Edit
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.source.lexer import physical_lines
from ddl_lint.source.span import Span

_USUAL = "    "


def as_lines(file: File, code: str, indent: str) -> str:
    """New statements, each line at `indent` and with the file's line end, blocks in the file's indentation.

    Raises:
        Unfixable: the text is no code, as when something that was put into it does not fit.
    """
    text = code if _is_laid_out(code, file.indent) else _laid_out(code, file.indent)
    return "".join(f"{indent}{line}{file.newline}" if line else file.newline for line in text.splitlines())


def _is_laid_out(code: str, indent: str) -> bool:
    """Whether code is valid, and surely has the usual indentation, which is wanted."""
    if indent != _USUAL or "\t" in code or "\r" in code:
        return False
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return False
    first = next((line for line in code.split("\n") if line.startswith(" ")), _USUAL)
    return first.startswith(_USUAL) and not first.startswith(f"{_USUAL} ")


def _laid_out(code: str, indent: str) -> str:
    """Code with another indentation; raises `Unfixable`, as `as_lines`."""
    import libcst as cst  # takes long to load

    try:
        module = cst.parse_module(code)
    except cst.ParserSyntaxError:
        raise Unfixable("the code around it is written in a form that cannot be edited") from None
    return module.with_changes(default_indent=indent, default_newline="\n").code


def lines_of(place: Place) -> Span:
    """The physical lines of a statement, with the comments right above it, up to the start of the next line.

    Raises:
        Unfixable: something else is on its lines.
    """
    file = place.file
    if not place.has_own_lines:
        raise Unfixable("another statement is on the same line")
    return Span(comment_start(place), file.next_line(place.end))


def comment_start(place: Place) -> int:
    """The start of the first line of the comment right above a statement, at its indentation."""
    file = place.file
    start = file.line_start(place.start)
    indent = file.indent_at(place.start)
    # The first statement of a block owns what is between it and the head.
    floor = file.next_line(place.block[place.index - 1].end) if place.index else 0
    if not place.index and place.owners:
        floor = _head_end(place)
    while start > floor:
        above = file.line_start(start - 1)
        if above < floor or file.in_string(above) or not file.text.startswith(f"{indent}#", above):
            break
        start = above
    # What the file begins with speaks of the file: a licence, an encoding.
    return start if start else file.line_start(place.start)


def _head_end(place: Place) -> int:
    """The line after the head of the block that a statement begins."""
    file = place.file
    owner = place.owners[-1]
    begin = getattr(owner, "start", 0)
    line = file.line_start(place.start)
    while line > begin:
        above = file.line_start(line - 1)
        text = file.text[above:line].strip()
        if text and not text.startswith("#"):
            break
        line = above
    return line


def reindented(file: File, span: Span, old: str, new: str) -> str:
    """The lines of a range with another indentation; what goes on inside of strings stays as it is."""
    text = file.text[span.start : span.end]
    parts: list[str] = []
    position = span.start
    for line in physical_lines(text):
        if not file.in_string(position) and line.startswith(old) and line.strip():
            line = new + line[len(old) :]
        parts.append(line)
        position += len(line)
    lines = "".join(parts)
    return lines if lines.endswith(("\n", "\r")) else lines + file.newline


def shifted(file: File, span: Span, old: str, new: str) -> list[Edit]:
    """The edits that give the lines of a range another indentation, where one of them begins like the other."""
    edits: list[Edit] = []
    start = span.start
    while start < span.end:
        end = file.line_end(start)
        if not file.in_string(start) and file.text.startswith(old, start) and file.text[start:end].strip():
            if new.startswith(old):
                edits.append(file.edit(start + len(old), start + len(old), new[len(old) :]))
            else:
                edits.append(file.edit(start + len(new), start + len(old), ""))
        following = file.next_line(start)
        if following <= start:
            break
        start = following
    return edits
