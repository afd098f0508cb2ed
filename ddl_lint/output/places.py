"""Where a finding is, in the terms that people and programs use."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.escape import one_line
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a file. Lines and columns count from 1, columns in code points; the end column is one past the last.

    In a notebook, lines count from the start of the cell.
    """

    file: str
    """Relative to the working directory where it is below it, with `/`."""
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1
    cell: int | None = None
    """The number of the notebook's cell, counted from 1."""
    line_text: Callable[[int], str] | None = None
    """The text of a line; None when the file is not known."""
    lines_in_file: tuple[int, int] | None = (1, 1)
    """The first and the last line as the file is on disk, where a notebook is JSON; None where that is not known."""

    @property
    def head(self) -> str:
        """`file:line:column`, as terminals make it a link."""
        return f"{self.name}:{self.position}"

    @property
    def name(self) -> str:
        """The file as people see it: one line that acts on nothing."""
        return one_line(self.file)

    @property
    def position(self) -> str:
        """Such as `12:5` or `cell 3:12:5`."""
        cell = "" if self.cell is None else f"cell {self.cell}:"
        return f"{cell}{self.line}:{self.column}"

    @property
    def order(self) -> tuple[str, int, int]:
        """The key to sort lines by."""
        return self.file, self.cell or 0, self.line

    @property
    def size(self) -> tuple[int, int]:
        """The key to sort places of one line by: the smallest first."""
        return self.end_line - self.line, self.end_column - self.column


def place_of(location: Location, documents: Mapping[str, Document]) -> Place:
    """The place of a location; the start of the file when its document is not known, as for an unreadable file."""
    file = shown_path(location.path)
    document = documents.get(location.path)
    if document is None:
        return Place(file)
    line, column = document.position(location.start)
    end_line, end_column = document.position(location.end)
    cell = document.cell_at(location.start)
    if cell is None:
        return Place(file, line, column, end_line, end_column, None, document.line_text, (line, end_line))
    before = line - cell.line_in_cell

    def line_text(number: int) -> str:
        return document.line_text(before + number)

    last = document.cell_at(location.end)
    in_file = None
    if cell.line_in_file is not None and last is not None and last.line_in_file is not None:
        in_file = cell.line_in_file, last.line_in_file
    return Place(file, line - before, column, end_line - before, end_column, cell.index, line_text, in_file)


def shown_path(path: str) -> str:
    """A path as it is shown: relative to the working directory where it is below it."""
    try:
        return Path(path).relative_to(os.getcwd()).as_posix()
    except (ValueError, OSError):  # OSError: the working directory is gone
        return path


def shown_name(path: str) -> str:
    """The same for people: one line that acts on nothing."""
    return one_line(shown_path(path))
