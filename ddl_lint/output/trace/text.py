"""The table for terminals: names at the left, a column for each class of ranks, lines where they meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ddl_lint.analysis.ranks.communication import Cell, Communication, Gap, Row
from ddl_lint.escape import without_commands
from ddl_lint.output.cells import clipped, padded, printable, width_of, wrapped
from ddl_lint.output.trace.focus import is_focus
from ddl_lint.output.trace.labels import cell_name, conditions, headline, label, remarks
from ddl_lint.output.trace.outline import Documents, Entry, Group, Item, few, outline, with_depth
from ddl_lint.output.trace.presentation import Presentation, Spots
from ddl_lint.output.trace.verdict import verdict
from ddl_lint.output.trace.words import GroupKind, group_kinds, printed, subtitle, title

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_DIM = "\x1b[2m"
_RED = "\x1b[1;31m"
_YELLOW = "\x1b[33m"
_BLUE = "\x1b[34m"

_TONES = {"hang": _RED, "doubt": _YELLOW, "clear": ""}
_GROUP_COLOURS = ("\x1b[36m", "\x1b[35m", "\x1b[34m", "\x1b[32m", "\x1b[33m")

_HERE = "<="  # beside what the trace is opened at
_LEAST_SOURCE = 20
_LEAST_LABEL = 24
_LEAST_NAME = 12
_LABEL_SHARE = 0.45  # of the width, for the names, if the columns want more
_LEAST_COLUMN = 14
_MOST_COLUMN = 44
_LONG_TITLE = 16
_INDENT = 2
_SPACE = 4


def render(communication: Communication, documents: Documents, presentation: Presentation) -> str:
    """The table as lines of at most the width that is asked for."""
    spots = Spots(documents, presentation)
    items, kinds = outline(communication.rows), group_kinds(communication)
    writer = _Writer(communication, spots, items, kinds, presentation.width, presentation.colour)
    return "".join(f"{without_commands(line.rstrip())}\n" for line in writer.lines())


@dataclass(slots=True)
class _Writer:
    communication: Communication
    spots: Spots
    items: Sequence[Item]
    kinds: Sequence[GroupKind]
    width: int
    colour: bool

    def lines(self) -> Iterator[str]:
        communication = self.communication
        focus = self.spots.presentation.focus
        if focus is not None and focus.lead:
            yield from focus.lead.splitlines()
            yield ""
        name = title(communication, self.spots.shown(communication.path))
        yield self._paint(clipped(name, self.width, keep_end=True), _BOLD)
        yield from wrapped(subtitle(communication), self.width)
        yield ""
        for kind in self.kinds:
            for line in wrapped(kind.text, self.width):
                yield self._paint(line, _group_colour(kind.number))
        if self.kinds:
            yield ""
        if communication.rows:
            names, columns = self._widths()
            yield from self._heads(names, columns)
            yield from self._block(self.items, 0, names, columns)
            yield ""
        for said in remarks(self.items):
            yield from wrapped(said, self.width)
        found = verdict(communication, self.spots.documents)
        for line in wrapped(printable(found.text), self.width):
            yield self._paint(line, _TONES[found.tone])
        for limit in found.limits:
            yield from wrapped(printable(limit), self.width)

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
            names = max(names, depth * _INDENT + width_of(self._label(entry)))
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
        shown, hidden = few(items, lambda entry: is_focus(entry, self.spots))
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
        block = group.blocks[0] if group.blocks else None
        place = self.spots.of(block.location).label if block is not None else ""
        indent = " " * depth * _INDENT
        room = max(self.width - len(indent) - width_of(place) - 2, 10)
        text = clipped(printable(headline(group)), room)
        return f"{indent}{self._paint(text, _BOLD if group.kind == 'call' else _BLUE)}  {self._paint(place, _DIM)}"

    def _entry(self, entry: Entry, depth: int, names: int, columns: Sequence[int]) -> Iterator[str]:
        row = entry.row
        wrong = row.gap is not None
        colour = self._colour(row)
        indent = min(depth * _INDENT, names - _LEAST_NAME)  # whatever the depth, there is space for a name
        text = padded(" " * indent + self._label(entry, names - indent), names)
        line = self._paint(text, colour)
        line += " " * _SPACE
        joined = row.meets and len(columns) > 1
        for index, (cell, size) in enumerate(zip(row.cells, columns, strict=True)):
            place = clipped(self._cell(row, cell), size, keep_end=True) if cell is not None else "x" if wrong else "-"
            line += self._paint(place, colour if wrong else _DIM if cell is None or cell.leaves else "")
            if index < len(columns) - 1:
                rest = size - width_of(place)
                line += self._paint(f" {'-' * (rest + _SPACE - 2)} " if joined else " " * (rest + _SPACE), _DIM)
            else:
                line += " " * (size - width_of(place))
        yield line + self._source(row, self.width - names - sum(columns) - _SPACE * len(columns) - _SPACE)
        if entry.gap is not None:
            yield from self._gap(entry.gap, depth)

    def _source(self, row: Row, room: int) -> str:
        """What is written at the place of a row, where there is space for it."""
        source = self.spots.of(row.lead.location).source
        return " " * _SPACE + self._paint(clipped(source, room), _DIM) if room >= _LEAST_SOURCE and source else ""

    def _colour(self, row: Row) -> str:
        if row.gap is not None:
            return _RED if row.gap.certain else _YELLOW
        if row.lead.leaves or not row.is_certain:
            return _DIM
        number = next((each.number for each in self.kinds if each.name == row.lead.group), 0)
        return _group_colour(number) if number else ""

    def _gap(self, gap: Gap, depth: int) -> Iterator[str]:
        indent = " " * (depth + 1) * _INDENT
        room = max(self.width - len(indent) - 2, 20)
        colour = _RED if gap.certain else _YELLOW
        for index, line in enumerate(wrapped(printable(gap.message), room)):
            yield self._paint(f"{indent}{'! ' if index == 0 else '  '}{line}", colour)
        for report in gap.reports:
            for line in wrapped(f"{printed(report)}: {printable(report.text)}", room):
                yield self._paint(f"{indent}  {line}", _DIM)

    def _label(self, entry: Entry, width: int | None = None) -> str:
        """The name of a row, with a sign where the trace is opened."""
        sign = f" {_HERE}" if is_focus(entry, self.spots) else ""
        return label(entry, None if width is None else width - len(sign)) + sign

    def _cell(self, row: Row, cell: Cell) -> str:
        """A cell: where, and what if the others of the row do something else."""
        names = {other.name for other in row.cells if other is not None}
        what = f"{cell_name(cell)} " if len(names) > 1 else ""
        under = f" {conditions(cell)}" if conditions(cell) else ""
        return printable(f"{what}{self.spots.of(cell.location).label}{under}")

    def _paint(self, text: str, colour: str) -> str:
        return f"{colour}{text}{_RESET}" if self.colour and colour and text.strip() else text


def _group_colour(number: int) -> str:
    return _GROUP_COLOURS[(number - 1) % len(_GROUP_COLOURS)]
