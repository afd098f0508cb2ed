"""The text of one checked file, and the way from offsets to lines and back."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal

from ddl_lint.source.span import Location, Span

NEWLINE = re.compile(r"\r\n?|\n")
"""What ends a line."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in a notebook, as editors show it: `index` counts all cells from 1, `line_in_cell` from 1."""

    index: int
    id: str
    line_in_cell: int
    line_in_file: int | None = None
    """The line of the notebook's file, which is JSON; None where that is not known."""


@dataclass(frozen=True, slots=True)
class CellSpan:
    """Where a code cell is in the text of its notebook's document."""

    index: int
    id: str
    span: Span
    file_lines: tuple[int, ...] = ()
    """The line of the file for each line of the cell; none where that is not known."""


@dataclass(frozen=True)
class Document:
    """A decoded source file. Offsets count code points of `text`; lines and columns count from 1.

    `text` has no byte order mark and keeps its line ends (`\\n`, `\\r\\n`, `\\r`) as they are.
    A text that ends with a line end has an empty last line, as in editors.
    For a notebook, `text` is all code cells, each followed by a line end, and `cells` says where each one is.
    """

    path: str
    text: str
    kind: Literal["python", "notebook", "text"] = "python"
    encoding: str = "utf-8"
    has_bom: bool = False
    cells: tuple[CellSpan, ...] = ()

    @property
    def newline(self) -> str:
        """The first line end of the text; `\\n` if it has none."""
        match = NEWLINE.search(self.text)
        return match.group() if match else "\n"

    @cached_property
    def _line_starts(self) -> list[int]:
        if "\r" in self.text:
            return [0, *(match.end() for match in NEWLINE.finditer(self.text))]
        starts = list(accumulate((len(line) + 1 for line in self.text.split("\n")), initial=0))
        starts.pop()
        return starts

    @property
    def line_count(self) -> int:
        """Number of lines; an empty text has one."""
        return len(self._line_starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset. Offsets outside the text mean its nearest end."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def place(self, offset: int) -> str:
        """The line of an offset as people write it: `88`; in a notebook with its cell, `cell 3:2`."""
        cell = self.cell_at(offset)
        return f"cell {cell.index}:{cell.line_in_cell}" if cell is not None else str(self.position(offset)[0])

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column. Columns past the line mean its end, lines past the text mean its end."""
        if line < 1:
            return 0
        if line > self.line_count:
            return len(self.text)
        start = self._line_starts[line - 1]
        return start + min(max(column - 1, 0), len(self.line_text(line)))

    def line_text(self, line: int) -> str:
        """A line without its line end; empty for lines that do not exist."""
        starts = self._line_starts
        if not 1 <= line <= len(starts):
            return ""
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")

    def on_one_line(self, location: Location) -> Location:
        """A place of this document without what it has below its first line: of a loop its header, of a call that goes
        over several lines its name.
        """
        line, column = self.position(location.start)
        if self.position(location.end)[0] == line:
            return location
        first = self.line_text(line)[column - 1 :].rstrip("\\ \t([{:,")
        return location._replace(end=location.start + len(first))

    def cell_at(self, offset: int) -> Cell | None:
        """The notebook cell that holds an offset; None for plain files and notebooks without code."""
        place = bisect_right([cell.span.start for cell in self.cells], offset) - 1
        if place < 0:
            return None
        cell = self.cells[place]
        line = self.position(offset)[0] - self.position(cell.span.start)[0]
        in_file = cell.file_lines[line] if line < len(cell.file_lines) else None
        return Cell(cell.index, cell.id, line + 1, in_file)
