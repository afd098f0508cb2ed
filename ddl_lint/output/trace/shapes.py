"""The elements of a picture, as SVG. Whatever comes from the checked files is escaped here."""

from __future__ import annotations

from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.trace import marks
from ddl_lint.output.trace.presentation import Spot


def line(x1: float, y1: float, x2: float, y2: float, look: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{look}"/>'


def rectangle(x: float, y: float, width: float, height: float, look: str) -> str:
    """A box with round corners."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" class="{look}"/>'


def sign(x: float, y: float, number: int, look: str) -> str:
    """The sign of a call: see `marks`."""
    return f'<path transform="translate({x:g} {y:g})" d="{marks.shape(number)}" class="{look}"/>'


def text(x: float, y: float, words: str, look: str, aside: Spot | None = None, place: Spot | None = None) -> str:
    """A line of text: with a place after it, or of a place. A place is a link if it has an address."""
    look = f' class="{look.strip()}"' if look.strip() else ""
    shown = escaped(words)
    if place is not None:
        shown = _linked(shown, place)
    if aside is not None:
        shown += _linked(f'<tspan dx="12" class="dim small">{escaped(aside.label)}</tspan>', aside)
    return f'<text x="{x:g}" y="{y:g}"{look}>{shown}</text>'


def _linked(content: str, spot: Spot) -> str:
    return f'<a href="{escaped(spot.address)}">{content}</a>' if spot.address else content
