"""The source lines that a page points at, with those around them: what places without addresses link to."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.output.html.code import code, plain
from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.trace.presentation import Spot, Spots
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

_AROUND = 2  # lines before and after


def sources(spots: Spots) -> Iterator[str]:
    """The lines that links in the page lead to, by file; none where every place has an address in the web."""
    by_path: dict[str, dict[Spot, Location]] = {}
    for spot, location in spots.targets.items():
        if location.path in spots.documents:
            by_path.setdefault(location.path, {})[spot] = location
    if not by_path:
        return
    yield '<details class="sources"><summary>Source lines</summary>'
    for path in sorted(by_path):
        yield f"<h2>{escaped(spots.shown(path))}</h2>"
        yield _file(spots.documents[path], by_path[path], spots)
    yield "</details>"


def _file(document: Document, places: dict[Spot, Location], spots: Spots) -> str:
    names: dict[int, str] = {}
    for spot, location in places.items():
        names.setdefault(document.position(location.start)[0], spots.anchor(spot))
    last = document.position(len(document.text))[0]
    shown = sorted({near for line in names for near in range(max(1, line - _AROUND), min(last, line + _AROUND) + 1)})
    return code((_number(document, line), plain(document.line_text(line)), names.get(line, "")) for line in shown)


def _number(document: Document, line: int) -> int:
    """The number of a line as people see it: in a notebook that of the cell."""
    cell = document.cell_at(document.offset(line, 1))
    return line if cell is None else cell.line_in_cell
