"""The table as a picture that needs nothing else: a line for each class of ranks, joined where they meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from ddl_lint.analysis.ranks.communication import Cell, Communication, Gap, Row
from ddl_lint.output.cells import clipped, width_of, wrapped
from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.trace import marks
from ddl_lint.output.trace.focus import is_focus
from ddl_lint.output.trace.labels import cell_name, conditions, headline, label, remarks
from ddl_lint.output.trace.outline import Documents, Entry, Group, Item, few, outline, with_depth
from ddl_lint.output.trace.presentation import Presentation, Spot, Spots
from ddl_lint.output.trace.shapes import line, rectangle, sign, text
from ddl_lint.output.trace.verdict import Verdict, verdict
from ddl_lint.output.trace.words import GroupKind, group_kinds, printed, subtitle, title

# Lengths in pixels.
_CHARACTER = 7.25  # the width of a character of the fixed font
_WIDE_CHARACTER = 8.5  # of the title
_ROW = 26
_HEAD = 24
_LINE = 17  # of a message
_INDENT = 14
_MARGIN = 16
_LEAST_COLUMN = 110
_LEAST_WIDTH = 560
_MOST_LABEL = 46  # characters
_MOST_CELL = 34
_MOST_BLOCK = 90

_TONES: Mapping[str, str] = {"hang": "wrong", "doubt": "doubt", "clear": ""}


def render(communication: Communication, documents: Documents, presentation: Presentation) -> str:
    """The picture as an SVG document."""
    spots, found = Spots(documents, presentation), verdict(communication, documents)
    kinds = {kind.name: kind for kind in group_kinds(communication)}
    return _Picture(communication, spots, found, kinds, outline(communication.rows)).draw() + "\n"


@dataclass(slots=True)
class _Picture:
    communication: Communication
    spots: Spots
    verdict: Verdict
    kinds: Mapping[str, GroupKind]
    items: Sequence[Item]
    _lives: list[float] = field(default_factory=list[float])
    """Where the line of each class is."""

    _width: float = 0
    _y: float = 0
    _behind: list[str] = field(default_factory=list[str])
    _shapes: list[str] = field(default_factory=list[str])

    def draw(self) -> str:
        communication = self.communication
        self._measure()
        room = int((self._width - 2 * _MARGIN) / _WIDE_CHARACTER)
        self._text(_MARGIN, _MARGIN + 10, clipped(self._title(), room, keep_end=True), "title")
        self._y = _MARGIN + 16
        self._paragraph(_MARGIN, subtitle(communication), "dim")
        self._paragraph(_MARGIN, self.verdict.text, f"verdict {_TONES[self.verdict.tone]}")
        for limit in self.verdict.limits:
            self._paragraph(_MARGIN, limit, "")
        self._legend()
        lives = self._y + _HEAD
        if communication.rows:
            for x, ranks in zip(self._lives, communication.columns, strict=True):
                self._text(x - 6, self._y + 19, clipped(ranks.title, _MOST_CELL), "head")
            self._y += _HEAD + 4
            self._block(self.items, 0)
            self._behind[:0] = [line(x, lives, x, self._y + 6, "life") for x in self._lives]
            self._y += 12
        for said in remarks(self.items):
            self._paragraph(_MARGIN, said, "dim")
        return self._document()

    def _document(self) -> str:
        width, height = round(self._width), round(self._y + _MARGIN)
        name, told = escaped(f"Trace of {self._title()}"), escaped(self.verdict.text)
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
                f' viewBox="0 0 {width} {height}" role="img" aria-labelledby="trace-title trace-desc">',
                f'<title id="trace-title">{name}</title>',
                f'<desc id="trace-desc">{told}</desc>',
                f"<style>\n{_style()}</style>",
                '<rect class="ground" width="100%" height="100%"/>',
                *self._behind,
                *self._shapes,
                "</svg>",
            )
        )

    def _title(self) -> str:
        return title(self.communication, self.spots.shown(self.communication.path))

    def _measure(self) -> None:
        """Find the place of each class: after the longest name, as far apart as what is beside their lines."""
        communication = self.communication
        names = 0.0
        cells = [len(clipped(ranks.title, _MOST_CELL)) for ranks in communication.columns]
        for depth, entry in with_depth(self.items):
            names = max(names, (depth + 1) * _INDENT + width_of(self._name(entry)) * _CHARACTER)
            for index, cell in enumerate(entry.row.cells):
                if cell is not None:
                    cells[index] = max(cells[index], width_of(self._cell(entry.row, cell)))
        x = _MARGIN + names + 24
        self._lives = []
        for cell in cells:
            self._lives.append(x)
            x += max(_LEAST_COLUMN, cell * _CHARACTER + 30)
        self._width = max(x + _MARGIN, _LEAST_WIDTH)

    def _legend(self) -> None:
        """Which sign represents which groups."""
        for kind in self.kinds.values():
            room = int((self._width - 2 * _MARGIN - 20) / _CHARACTER)
            self._y += _LINE
            self._shapes.append(sign(_MARGIN + 6, self._y - 7, kind.number, f"g{_colour(kind.number)}"))
            self._text(_MARGIN + 20, self._y - 3, clipped(kind.text, room), "dim")

    def _block(self, items: Sequence[Item], depth: int) -> None:
        shown, hidden = few(items, lambda entry: is_focus(entry, self.spots))
        for index, item in enumerate(items):
            if index in hidden:
                self._text(_MARGIN + (depth + 0.6) * _INDENT, self._y + 16, f"… {hidden[index]} more", "dim")
                self._y += _HEAD
            if index not in shown:
                continue
            if isinstance(item, Entry):
                self._entry(item, depth)
            else:
                self._group(item, depth)

    def _group(self, group: Group, depth: int) -> None:
        x, top = _MARGIN + depth * _INDENT, self._y
        look = "if" if group.kind in ("if", "unless") else group.kind
        place = len(self._behind)
        right = self._width - _MARGIN - depth * 4
        spot = self.spots.of(group.blocks[0].location) if group.blocks else None
        self._text(x + 8, top + 16, self._headline(group, right - x, spot), f"{look}-text", spot)
        self._y += _HEAD
        self._block(group.items, depth + 1)
        self._y += 4
        self._behind.insert(place, rectangle(x, top, right - x, self._y - top, look))
        self._y += 4

    def _headline(self, group: Group, width: float, spot: Spot | None) -> str:
        room = int((width - 30) / _CHARACTER) - (width_of(spot.label) if spot is not None else 0)
        return clipped(("↻ " if group.kind in ("loop", "stretch") else "") + headline(group), min(room, _MOST_BLOCK))

    def _entry(self, entry: Entry, depth: int) -> None:
        row = entry.row
        y = self._y + 19  # of the line that joins the classes
        trouble = "" if row.gap is None else "wrong" if row.gap.certain else "doubt"
        name = self._name(entry)
        self._text(
            _MARGIN + (depth + 0.6) * _INDENT,
            y + 4,
            name,
            trouble or ("dim" if row.lead.leaves or not row.is_certain else ""),
        )
        self._joints(row, y, trouble)
        for x, cell in zip(self._lives, row.cells, strict=True):
            if cell is not None:
                self._mark(x, y, row, cell, trouble)
                self._text(x + 9, y - 5, self._cell(row, cell), "dim small", address=self.spots.of(cell.location))
            elif row.gap is not None:
                self._shapes.append(line(x - 5, y - 5, x + 5, y + 5, f"cross {trouble}"))
                self._shapes.append(line(x - 5, y + 5, x + 5, y - 5, f"cross {trouble}"))
        self._y += _ROW + 4
        if entry.gap is not None:
            self._gap(entry.gap, row, _MARGIN + (depth + 0.6) * _INDENT, depth)

    def _name(self, entry: Entry) -> str:
        return label(entry, _MOST_LABEL) + (" ◂" if is_focus(entry, self.spots) else "")

    def _gap(self, gap: Gap, row: Row, x: float, depth: int) -> None:
        """What is wrong here, what is written there, and what the libraries will print."""
        top, place = self._y, len(self._behind)
        right = self._width - _MARGIN - depth * 4 - 6
        self._paragraph(x + 6, gap.message, "wrong" if gap.certain else "doubt", right)
        spot = self.spots.of(row.lead.location)
        if spot.source:
            self._paragraph(x + 6, f"{spot.label}  {spot.source}", "", right)
        for report in gap.reports:
            self._paragraph(x + 6, f"{printed(report)}: {report.text}", "dim small", right)
        look = "alarm" if gap.certain else "caution"
        self._behind.insert(place, rectangle(x, top, right - x, self._y - top + 4, look))
        self._y += 10

    def _mark(self, x: float, y: float, row: Row, cell: Cell, trouble: str) -> None:
        number = self._number(cell)
        certain = cell.sure and cell.seen
        look = (
            "out"
            if cell.leaves
            else "unsure"
            if not certain
            else f"g{_colour(number)}"
            if row.meets or number
            else "alone"
        )
        self._shapes.append(sign(x, y, number, trouble if trouble and certain else look))

    def _number(self, cell: Cell) -> int:
        kind = self.kinds.get(cell.group)
        return kind.number if kind is not None else marks.ROUND

    def _joints(self, row: Row, y: float, trouble: str) -> None:
        """Lines between neighbours: joined where both make the same call, broken where they should."""
        crossed = row.gap is not None and None not in row.cells
        for (left, one), (right, other) in pairwise(zip(self._lives, row.cells, strict=True)):
            if one is not None and other is not None and one.name == other.name and not crossed:
                if one.leaves is None:
                    certain = one.sure and one.seen and other.sure and other.seen
                    self._shapes.append(
                        line(left, y, right, y, f"meet j{self._number(one)}" if certain else "meet maybe")
                    )
            elif row.gap is not None:
                self._shapes.append(line(left + 8, y, right - 8, y, f"gap {trouble}" if trouble == "doubt" else "gap"))

    def _cell(self, row: Row, cell: Cell) -> str:
        names = {other.name for other in row.cells if other is not None}
        what = f"{cell_name(cell)} " if len(names) > 1 else ""
        under = f" {conditions(cell)}" if conditions(cell) else ""
        return clipped(f"{what}{self.spots.of(cell.location).label}{under}", _MOST_CELL)

    def _paragraph(self, x: float, words: str, look: str, right: float = 0) -> None:
        room = max(20, int(((right or self._width - _MARGIN) - x - 8) / _CHARACTER))
        for part in wrapped(words, room):
            self._y += _LINE
            self._text(x, self._y - 3, part, look)

    def _text(
        self, x: float, y: float, words: str, look: str, spot: Spot | None = None, address: Spot | None = None
    ) -> None:
        self._shapes.append(text(x, y, words, look, spot, address))


def _colour(number: int) -> int:
    """The colour of a sign; after the last one, they begin again."""
    return number if number < _COLOURS else 1 + (number - 1) % (_COLOURS - 1)


_COLOURS = 7  # of picture.css


def _style() -> str:
    return Path(__file__).with_name("picture.css").read_text(encoding="utf-8")
