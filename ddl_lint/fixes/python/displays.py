"""Edits of the elements of lists and dicts, in the layout in which they are written."""

from __future__ import annotations

from ddl_lint.finding import Edit
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code


def insert_item(file: File, before: code.Expression, new: str) -> Edit:
    """A new element before one, on a line of its own where that one has its own."""
    if not file.begins_line(before.start):
        return file.edit(before.start, before.start, f"{new}, ")
    start = file.line_start(before.start)
    return file.edit(start, start, f"{file.indent_at(before.start)}{new},{file.newline}")


def add_entry(file: File, table: code.Dictionary, new: str) -> Edit:
    """A new entry after all others of a dict, on a line of its own where the last one begins a line.

    Raises:
        Unfixable: the dict is empty, or there are comments in its last line.
    """
    if not table.items:
        raise Unfixable("the dict is written in a form that cannot be edited")
    key, value = table.items[-1]
    start = value.start if key is None else key.start
    end = table.end - 1
    rest = file.text[value.end : end]
    if rest.strip() not in ("", ","):
        raise Unfixable("the dict is written in a form that cannot be edited")
    if not file.begins_line(start):
        return file.edit(value.end, end, f", {new}{rest}")
    return file.edit(value.end, value.end, f",{file.newline}{file.indent_at(start)}{new}")


def move_item(file: File, display: code.Display, moved: code.Expression, target: code.Expression) -> tuple[Edit, ...]:
    """An element before an earlier one. Comments at the ends of lines move with the element that has the line.

    Raises:
        Unfixable: other elements are on the lines of one that goes over several.
    """
    text = file.text
    index = next(i for i, item in enumerate(display.items) if item is moved)
    has_comma = text[moved.end : display.end].lstrip().startswith(",")
    end = text.index(",", moved.end) + 1 if has_comma else moved.end
    own_lines = file.begins_line(moved.start) and file.ends_line(end)
    if own_lines and file.begins_line(target.start):
        start, stop = file.line_start(moved.start), file.next_line(end)
        line = text[start:stop]
        if not has_comma:
            line = text[start : moved.end] + "," + text[moved.end : stop]
        goal = file.line_start(target.start)
        return (file.edit(goal, goal, line), file.edit(start, stop, ""))
    before = display.items[index - 1]
    gap = text[before.end : moved.start]
    if "#" in gap or (file.begins_line(moved.start) and not has_comma):
        raise Unfixable("the list is written in a form that cannot be edited")
    return (
        file.edit(target.start, target.start, f"{file.source(moved)}, "),
        file.edit(before.end, moved.end, ""),
    )
