"""Misspelt names."""

from __future__ import annotations

from collections.abc import Iterable


def misspelt(name: str, known: Iterable[str], most: int = 2) -> str:
    """The known name that was meant by another one: the nearest, of which at most so many letters are changed, put in,
    left out, or have changed places; empty if there is none.
    """
    found = min(((_distance(name, each), each) for each in known if abs(len(each) - len(name)) <= most), default=None)
    return found[1] if found is not None and 0 < found[0] <= most else ""


def _distance(one: str, other: str) -> int:
    rows = [list(range(len(other) + 1))]
    for index, letter in enumerate(one, 1):
        row = [index]
        for place, wanted in enumerate(other, 1):
            cost = min(rows[-1][place] + 1, row[-1] + 1, rows[-1][place - 1] + (letter != wanted))
            if index > 1 and place > 1 and letter == other[place - 2] and one[index - 2] == wanted:
                cost = min(cost, rows[-2][place - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]
