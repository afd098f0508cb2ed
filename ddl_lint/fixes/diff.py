"""The difference between two states of a file, as `diff -u` shows it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from ddl_lint.escape import several_lines
from ddl_lint.fixes.notebooks import cell_sources
from ddl_lint.source.lexer import physical_lines

_RESET = "\x1b[0m"
_COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}


def unified_diff(path: str, name: str, before: str, after: str) -> str:
    """How to come from one content of a file to another, exactly, so that it can be applied; empty when they are equal.

    A notebook is compared cell by cell, because its JSON is not what people read.

    Args:
        path: The file, whose suffix tells what it is.
        name: What it is called in the head lines.
        before: Its content.
        after: What it would hold.
    """
    if path.lower().endswith(".ipynb"):
        pairs = (
            (f"{name}:cell {index}", old, new)
            for (index, old), (_, new) in zip(cell_sources(before), cell_sources(after), strict=True)
        )
    else:
        pairs = iter([(name, before, after)])
    return "".join(line for head, old, new in pairs for line in _lines(head, old, new))


def painted(difference: str, *, colour: bool) -> str:
    """A diff for people, and no patch: nothing in it acts on the terminal or log that it is shown in."""
    return "".join(_painted(line, colour) for line in physical_lines(difference))


def _lines(name: str, before: str, after: str) -> Iterator[str]:
    for line in difflib.unified_diff(physical_lines(before), physical_lines(after), name, name):
        if line.endswith(("\n", "\r")):
            yield line
        else:
            yield f"{line}\n\\ No newline at end of file\n"


def _painted(line: str, colour: bool) -> str:
    text = several_lines(line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line)
    start = "\x1b[1m" if line.startswith(("---", "+++")) else _COLOURS.get(line[:1], "")
    return f"{start}{text}{_RESET}\n" if colour and start else f"{text}\n"
