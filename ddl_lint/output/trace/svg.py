"""The table as a picture that needs nothing else: a line for each class of ranks, joined where they meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from xml.sax.saxutils import escape

from ddl_lint.analysis.ranks.communication import Cell, Communication, Row
from ddl_lint.output.cells import clipped, printable, width_of, wrapped
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
from ddl_lint.output.trace.text import subtitle, summary, title

# Lengths in pixels.
_CHARACTER = 7.25  # the width of a character of the fixed font
_WIDE_CHARACTER = 8.5  # of the title
_ROW = 26
_HEAD = 24
_LINE = 17  # of a message
_INDENT = 14
_MARGIN = 16
_DOT = 4.5
_LEAST_COLUMN = 110
_LEAST_WIDTH = 560
_MOST_LABEL = 46  # characters
_MOST_CELL = 34
_MOST_BLOCK = 90

_STYLE = """
svg { color-scheme: light dark }
.ground { fill: #fff }
text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12px; fill: #1f2328 }
.title { font-size: 14px; font-weight: bold }
.head { font-weight: bold }
.dim, tspan.dim { fill: #656d76 }
.small { font-size: 11px }
.life { stroke: #b8c0c8; stroke-width: 1.2 }
.meet { stroke: #0969da; stroke-width: 2 }
.dot { fill: #0969da }
.maybe { opacity: .5 }
.alone { fill: #57606a }
.out { fill: #fff; stroke: #57606a; stroke-width: 1.5 }
.wrong { fill: #cf222e }
.gap { stroke: #cf222e; stroke-width: 2; stroke-dasharray: 5 4; fill: none }
.cross { stroke: #cf222e; stroke-width: 2.4 }
.alarm { fill: #ffebe9 }
.call { fill: #818b98; fill-opacity: .05; stroke: #818b98; stroke-opacity: .35 }
.loop { fill: #0969da; fill-opacity: .045; stroke: #0969da; stroke-opacity: .35 }
.if { fill: #9a6700; fill-opacity: .05; stroke: #9a6700; stroke-opacity: .4 }
.loop-text { fill: #0550ae }
.if-text { fill: #7d4e00 }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117 }
text { fill: #e6edf3 }
.dim, tspan.dim { fill: #9198a1 }
.life { stroke: #3d444d }
.meet { stroke: #4493f8 }
.dot { fill: #4493f8 }
.alone { fill: #9198a1 }
.out { fill: #0d1117; stroke: #9198a1 }
.wrong { fill: #ff7b72 }
.gap, .cross { stroke: #f85149 }
.alarm { fill: #3c1618 }
.loop-text { fill: #79c0ff }
.if-text { fill: #e3b341 }
}
"""


def render(communication: Communication, documents: Documents) -> str:
    """The picture as an SVG document."""
    return _Picture(communication, documents, outline(communication.rows)).draw() + "\n"


@dataclass(slots=True)
class _Picture:
    communication: Communication
    documents: Documents
    items: Sequence[Item]
    _lives: list[float] = field(default_factory=list[float])
    """Where the line of each class stands."""

    _width: float = 0
    _y: float = 0
    _behind: list[str] = field(default_factory=list[str])
    _shapes: list[str] = field(default_factory=list[str])

    def draw(self) -> str:
        communication = self.communication
        self._measure()
        room = int((self._width - 2 * _MARGIN) / _WIDE_CHARACTER)
        self._text(_MARGIN, _MARGIN + 10, clipped(title(communication), room, keep_end=True), "title")
        self._y = _MARGIN + 16
        self._paragraph(_MARGIN, subtitle(communication), "dim")
        lives = self._y + _HEAD
        if communication.rows:
            for x, ranks in zip(self._lives, communication.columns, strict=True):
                self._text(x - 6, self._y + 19, clipped(ranks.title, _MOST_CELL), "head")
            self._y += _HEAD + 4
            self._block(self.items, 0)
            self._behind[:0] = [_line(x, lives, x, self._y + 6, "life") for x in self._lives]
            self._y += 12
        for said in remarks(self.items):
            self._paragraph(_MARGIN, said, "dim")
        self._paragraph(_MARGIN, summary(communication), "wrong" if communication.gaps else "")
        return self._document()

    def _document(self) -> str:
        width, height = round(self._width), round(self._y + _MARGIN)
        name, told = _escape(f"Trace of {title(self.communication)}"), _escape(summary(self.communication))
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
                f' viewBox="0 0 {width} {height}" role="img" aria-labelledby="trace-title trace-desc">',
                f'<title id="trace-title">{name}</title>',
                f'<desc id="trace-desc">{told}</desc>',
                f"<style>{_STYLE}</style>",
                '<rect class="ground" width="100%" height="100%"/>',
                *self._behind,
                *self._shapes,
                "</svg>",
            )
        )

    def _measure(self) -> None:
        """Find the place of each class: behind the longest name, as far apart as what stands beside their lines."""
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

    def _block(self, items: Sequence[Item], depth: int) -> None:
        shown, hidden = few(items)
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
        block = group.blocks[0]
        x, top = _MARGIN + depth * _INDENT, self._y
        look = "if" if block.kind in ("if", "unless") else block.kind
        place = len(self._behind)
        right = self._width - _MARGIN - depth * 4
        self._text(
            x + 8, top + 16, self._headline(group, right - x), f"{look}-text", where(block.location, self.documents)
        )
        self._y += _HEAD
        self._block(group.items, depth + 1)
        self._y += 4
        self._behind.insert(place, _rectangle(x, top, right - x, self._y - top, look))
        self._y += 4

    def _headline(self, group: Group, width: float) -> str:
        block = group.blocks[0]
        note = f" ({remark(block)})" if remark(block) else ""
        place = where(block.location, self.documents)
        room = int((width - 30) / _CHARACTER) - width_of(place)
        sign = "↻ " if block.kind == "loop" else ""
        return clipped(sign + headline(group) + note, min(room, _MOST_BLOCK))

    def _entry(self, entry: Entry, depth: int) -> None:
        row = entry.row
        y = self._y + 19  # of the line that joins the classes
        self._text(
            _MARGIN + (depth + 0.6) * _INDENT,
            y + 4,
            self._name(entry),
            "wrong" if row.gap is not None else "dim" if row.lead.leaves else "",
        )
        self._joints(row, y)
        for x, cell in zip(self._lives, row.cells, strict=True):
            if cell is not None:
                look = "wrong" if row.gap is not None else "out" if cell.leaves else "dot" if row.meets else "alone"
                self._shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="{_DOT}" class="{look}"/>')
                self._text(x + 9, y - 5, self._cell(row, cell), "dim small")
            elif row.gap is not None:
                self._shapes.append(_line(x - 5, y - 5, x + 5, y + 5, "cross"))
                self._shapes.append(_line(x - 5, y + 5, x + 5, y - 5, "cross"))
        self._y += _ROW + 4
        if entry.gap is not None:
            x, top = _MARGIN + (depth + 0.6) * _INDENT, self._y
            place = len(self._behind)
            right = self._width - _MARGIN - depth * 4 - 6
            self._paragraph(x + 6, entry.gap.message, "wrong", right)
            self._behind.insert(place, _rectangle(x, top, right - x, self._y - top + 4, "alarm"))
            self._y += 10

    def _joints(self, row: Row, y: float) -> None:
        """Lines between neighbours: joined where both make the same call, broken where they should."""
        crossed = row.gap is not None and None not in row.cells
        for (left, one), (right, other) in pairwise(zip(self._lives, row.cells, strict=True)):
            if one is not None and other is not None and one.name == other.name and not crossed:
                if one.leaves is None:
                    certain = one.sure and one.seen and other.sure and other.seen
                    self._shapes.append(_line(left, y, right, y, "meet" if certain else "meet maybe"))
            elif row.gap is not None:
                self._shapes.append(_line(left + 8, y, right - 8, y, "gap"))

    def _name(self, entry: Entry) -> str:
        return label(entry, _MOST_LABEL)

    def _cell(self, row: Row, cell: Cell) -> str:
        names = {other.name for other in row.cells if other is not None}
        what = f"{cell_name(cell)} " if len(names) > 1 else ""
        under = f" {conditions(cell)}" if conditions(cell) else ""
        return clipped(f"{what}{where(cell.location, self.documents)}{under}", _MOST_CELL)

    def _paragraph(self, x: float, text: str, look: str, right: float = 0) -> None:
        room = max(20, int(((right or self._width - _MARGIN) - x - 8) / _CHARACTER))
        for line in wrapped(text, room):
            self._y += _LINE
            self._text(x, self._y - 3, line, look)

    def _text(self, x: float, y: float, text: str, look: str, place: str = "") -> None:
        look = f' class="{look}"' if look else ""
        aside = f'<tspan dx="12" class="dim small">{_escape(place)}</tspan>' if place else ""
        self._shapes.append(f'<text x="{x:g}" y="{y:g}"{look}>{_escape(text)}{aside}</text>')


def _line(x1: float, y1: float, x2: float, y2: float, look: str) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{look}"/>'


def _rectangle(x: float, y: float, width: float, height: float, look: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" class="{look}"/>'


def _escape(text: str) -> str:
    return escape(printable(text))
