"""Numbers as people read them, and tables in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the first column is text, the others are numbers."""
    lines = [list(head), ["---", *("---:" for _ in head[1:])], *map(list, rows)]
    return "\n".join(map(row, lines))


def row(cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def figure(number: float) -> str:
    """With three significant digits, thousands separated."""
    if math.isnan(number):
        return "-"
    if not number:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    return f"{round(number, 2 - math.floor(math.log10(abs(number)))):,.{digits}f}"


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def exponent(points: Iterable[tuple[float, float]]) -> float:
    """How y grows with x: the slope of the straight line that fits their logarithms best, 1 for proportional growth."""
    logarithms = [(math.log(x), math.log(y)) for x, y in points]
    middle_x, middle_y = (fmean(column) for column in zip(*logarithms, strict=True))
    return sum((x - middle_x) * (y - middle_y) for x, y in logarithms) / sum((x - middle_x) ** 2 for x, _ in logarithms)


def section(title: str, text: str, *parts: str) -> str:
    """A heading, what is measured, and tables or remarks."""
    return "\n\n".join([f"## {title}", text, *_filled(parts)])


def _filled(parts: Iterable[str]) -> Iterator[str]:
    return (part for part in parts if part)
