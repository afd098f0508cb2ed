"""The table for terminals: names at the left, a column for each class of ranks, lines where they meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ddl_lint.analysis.ranks.communication import Cell, Communication, Gap, Row
from ddl_lint.output.cells import clipped, padded, printable, width_of, wrapped
from ddl_lint.output.places import shown_path
from ddl_lint.output.trace.outline import (
    Documents,
    Entry,
    Group,
    Item,
    cell_name,
    conditions,
    few,
    headline,
    label,
    outline,
    remark,
    remarks,
    where,
    with_depth,
)

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_DIM = "\x1b[2m"
_RED = "\x1b[1;31m"
_BLUE = "\x1b[34m"

_MOST_GROUPS = 8
_LEAST_LABEL = 24
_LEAST_NAME = 12
_LABEL_SHARE = 0.45  # of the width, for the names, if the columns want more
_LEAST_COLUMN = 14
_MOST_COLUMN = 44
_LONG_TITLE = 16
_INDENT = 2
_SPACE = 4


def render(communication: Communication, documents: Documents, *, width: int = 100, colour: bool = False) -> str:
    """The table as lines of at most `width` characters."""
    items = outline(communication.rows)
    return "".join(f"{line.rstrip()}\n" for line in _Writer(communication, documents, items, width, colour).lines())


def title(communication: Communication) -> str:
    """What is shown: `train.py::evaluate`."""
    name = f"::{communication.function}" if communication.function else ""
    return printable(shown_path(communication.path) + name)


def subtitle(communication: Communication) -> str:
    """For which job, and how far it can be relied on."""
    nodes, each = communication.nodes, communication.per_node
    job = f"{each} processes" if nodes == 1 else f"{nodes} nodes with {each} processes each"
    said = [f"what all ranks must do together, in a job of {job}"]
    if communication.alone:
        said.append("the function by itself, with unknown arguments")
    if not communication.complete:
        said.append("not followed to its end: the limit of the analysis was reached")
    return "; ".join(said)


def groups(communication: Communication) -> list[str]:
    """Which ranks form the groups of each dimension of parallelism."""
    grid = communication.grid
    if grid is None:
        return []
    lines: list[str] = []
    for name in grid.dimensions:
        listed = grid.groups(name)
        shown = " | ".join(" ".join(map(str, group)) for group in listed[:_MOST_GROUPS])
        more = " | ..." if len(listed) > _MOST_GROUPS else ""
        lines.append(f"{name} groups: {shown}{more}")
    return lines


def summary(communication: Communication) -> str:
    """How it ends: whether they meet."""
    if not communication.rows:
        return "No call is known here that all ranks must make together."
    gaps = len(communication.gaps)
    if gaps:
        return f"In {gaps} {'place' if gaps == 1 else 'places'} the ranks do not meet."
    return "No place is known in which the ranks do not meet."


@dataclass(slots=True)
class _Writer:
    communication: Communication
    documents: Documents
    items: Sequence[Item]
    width: int
    colour: bool

    def lines(self) -> Iterator[str]:
        communication = self.communication
        yield self._paint(clipped(title(communication), self.width, keep_end=True), _BOLD)
        yield from wrapped(subtitle(communication), self.width)
        yield ""
        listed = groups(communication)
        for line in listed:
            yield from wrapped(line, self.width)
        if listed:
            yield ""
        if communication.rows:
            names, columns = self._widths()
            yield from self._heads(names, columns)
            yield from self._block(self.items, 0, names, columns)
            yield ""
        for said in remarks(self.items):
            yield from wrapped(said, self.width)
        for line in wrapped(summary(communication), self.width):
            yield self._paint(line, _RED if communication.gaps else "")

    def _heads(self, names: int, columns: Sequence[int]) -> Iterator[str]:
        """The titles of the columns, on several lines where they are long."""
        titles = [
            wrapped(printable(ranks.title), size)
            for ranks, size in zip(self.communication.columns, columns, strict=True)
        ]
        for parts in zip_longest(*titles, fillvalue=""):
            yield " " * names + "".join(
                " " * _SPACE + self._paint(padded(part, size), _BOLD) for part, size in zip(parts, columns, strict=True)
            )

    def _widths(self) -> tuple[int, list[int]]:
        """The widths of the names and of each column; the names give way first, then the columns."""
        columns = [min(_LONG_TITLE, width_of(printable(ranks.title))) for ranks in self.communication.columns]
        names = 0
        for depth, entry in with_depth(self.items):
            names = max(names, depth * _INDENT + width_of(label(entry)))
            for index, cell in enumerate(entry.row.cells):
                if cell is not None:
                    columns[index] = max(columns[index], width_of(self._cell(entry.row, cell)))
        columns = [min(column, _MOST_COLUMN) for column in columns]
        space = self.width - _SPACE * len(columns)
        names = max(_LEAST_LABEL, min(names, max(space - sum(columns), int(space * _LABEL_SHARE))))
        room = space - names
        if sum(columns) > room:
            fair = max(_LEAST_COLUMN, room // len(columns))
            columns = [min(column, fair) for column in columns]
        return names, columns

    def _block(self, items: Sequence[Item], depth: int, names: int, columns: Sequence[int]) -> Iterator[str]:
        shown, hidden = few(items)
        for index, item in enumerate(items):
            if index not in shown:
                if index in hidden:
                    yield self._paint(" " * depth * _INDENT + f"... {hidden[index]} more", _DIM)
            elif isinstance(item, Group):
                yield self._head(item, depth)
                yield from self._block(item.items, depth + 1, names, columns)
            else:
                yield from self._entry(item, depth, names, columns)

    def _head(self, group: Group, depth: int) -> str:
        block = group.blocks[0]
        place = where(block.location, self.documents)
        note = f" ({remark(block)})" if remark(block) else ""
        indent = " " * depth * _INDENT
        room = max(self.width - len(indent) - width_of(place) - 2, 10)
        text = clipped(printable(headline(group)) + note, room)
        return f"{indent}{self._paint(text, _BLUE if block.kind != 'call' else _BOLD)}  {self._paint(place, _DIM)}"

    def _entry(self, entry: Entry, depth: int, names: int, columns: Sequence[int]) -> Iterator[str]:
        row = entry.row
        wrong = row.gap is not None
        indent = min(depth * _INDENT, names - _LEAST_NAME)  # whatever the depth, there is room for a name
        text = padded(" " * indent + label(entry, names - indent), names)
        line = self._paint(text, _RED if wrong else _DIM if row.lead.leaves else "")
        line += " " * _SPACE
        joined = row.meets and len(columns) > 1
        for index, (cell, size) in enumerate(zip(row.cells, columns, strict=True)):
            place = clipped(self._cell(row, cell), size, keep_end=True) if cell is not None else "x" if wrong else "-"
            colour = _RED if wrong else _DIM if cell is None or cell.leaves else ""
            line += self._paint(place, colour)
            if index < len(columns) - 1:
                rest = size - width_of(place)
                line += self._paint(f" {'-' * (rest + _SPACE - 2)} " if joined else " " * (rest + _SPACE), _DIM)
        yield line
        if entry.gap is not None:
            yield from self._gap(entry.gap, depth)

    def _gap(self, gap: Gap, depth: int) -> Iterator[str]:
        indent = " " * (depth + 1) * _INDENT
        lines = wrapped(printable(gap.message), max(self.width - len(indent) - 2, 20))
        for index, line in enumerate(lines):
            yield self._paint(f"{indent}{'! ' if index == 0 else '  '}{line}", _RED)

    def _cell(self, row: Row, cell: Cell) -> str:
        """A cell: where, and what if the others of the row do something else."""
        names = {other.name for other in row.cells if other is not None}
        what = f"{cell_name(cell)} " if len(names) > 1 else ""
        under = f" {conditions(cell)}" if conditions(cell) else ""
        return printable(f"{what}{where(cell.location, self.documents)}{under}")

    def _paint(self, text: str, colour: str) -> str:
        return f"{colour}{text}{_RESET}" if self.colour and colour and text.strip() else text
