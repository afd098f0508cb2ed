"""The source lines that a page points at, with those around them: what places without addresses link to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.output.cells import clipped
from ddl_lint.output.trace.presentation import Spot, Spots
from ddl_lint.output.trace.shapes import escaped
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

_AROUND = 2  # lines before and after
_LONGEST = 200  # characters of a line


def sources(locations: Iterable[Location], spots: Spots) -> Iterator[str]:
    """The lines of places, by file; none where every place has an address in the web."""
    by_path: dict[str, dict[Spot, Location]] = {}
    for location in locations:
        spot = spots.of(location)
        if not spot.address and location.path in spots.documents:
            by_path.setdefault(location.path, {})[spot] = location
    if not by_path:
        return
    yield '<details class="sources"><summary>Source lines</summary>'
    for path in sorted(by_path):
        yield f"<h2>{escaped(spots.shown(path))}</h2>"
        yield from _file(spots.documents[path], by_path[path], spots)
    yield "</details>"


def locations_of(communication: Communication) -> Iterator[Location]:
    """All places that a trace points at."""
    for row in communication.rows:
        for cell in row.cells:
            if cell is not None:
                yield cell.location
                yield from (block.location for block in cell.under)
        yield from (block.location for block in row.blocks)
    for gap in communication.gaps:
        yield from (part.location for part in gap.evidence)
        if gap.place is not None:
            yield gap.place


def _file(document: Document, places: dict[Spot, Location], spots: Spots) -> Iterator[str]:
    anchors: dict[int, Spot] = {}
    for spot, location in places.items():
        anchors.setdefault(document.position(location.start)[0], spot)
    last = document.position(len(document.text))[0]
    shown = sorted({near for line in anchors for near in range(max(1, line - _AROUND), min(last, line + _AROUND) + 1)})
    lines: list[str] = []
    before = 0
    for line in shown:
        spot = anchors.get(line)
        gap = ' class="gap"' if before and line > before + 1 else ""
        here = f' id="{spots.anchor(spot)}" data-hit' if spot is not None else ""
        text = escaped(clipped(document.line_text(line).rstrip().expandtabs(4), _LONGEST))
        lines.append(f"<span{gap}{here}><b>{line}</b> {text}</span>")
        before = line
    yield f"<pre>{''.join(lines)}</pre>"  # without line breaks, which would be shown
