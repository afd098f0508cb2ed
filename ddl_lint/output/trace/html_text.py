"""Sentences and places as HTML: code in backquotes, and every place a link. All of it is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.output.html.escaped import escaped, with_code
from ddl_lint.output.trace.presentation import Spot, Spots
from ddl_lint.source.span import Location


def sentence(text: str, spots: Spots, places: Iterable[Location] = ()) -> str:
    """A text with `code` in it, in which these places are links where they are named."""
    named: dict[str, Spot] = {}
    for spot in map(spots.of, places):
        named.setdefault(spot.label, spot)
        named.setdefault(f"line {spot.line}", spot)  # of the file that the text is about
    return with_code(text, lambda part: _linked(part, named, spots))


def _linked(text: str, named: dict[str, Spot], spots: Spots) -> str:
    if not named:
        return escaped(text)
    labels = "|".join(re.escape(label) for label in sorted(named, key=len, reverse=True))
    pieces = re.split(rf"((?<![\w/.:-])(?:{labels})(?![\w:]))", text)
    return "".join(
        link(named[piece], spots, piece) if index % 2 else escaped(piece) for index, piece in enumerate(pieces)
    )


def link(spot: Spot, spots: Spots, name: str = "") -> str:
    """A place, by its label or another name: to the web if it has an address there, else to the source of the page.
    What cannot be read is no link.
    """
    if not spot.address and not spots.is_known(spot):
        return f'<span class="place">{escaped(name or spot.label)}</span>'
    target = escaped(spot.address) if spot.address else f"#{spots.anchor(spot)}"
    cell = "" if spot.cell is None else f' data-cell="{spot.cell}"'
    data = f'data-file="{escaped(spot.file)}" data-line="{spot.line}" data-column="{spot.column}"{cell}'
    return f'<a class="place" href="{target}" rel="noreferrer" {data}>{escaped(name or spot.label)}</a>'


def source(spot: Spot) -> str:
    """What is written at a place."""
    return f'<code class="source">{escaped(spot.source)}</code>' if spot.source else ""
