"""What readers have judged of what ddl-lint said at first contact: the draws in `first_contact/`.

A draw is a set of repositories that nobody had looked at. Each finding that is no note was judged by a reader who had
written none of the rules, before anything was changed. A draw is named after its date, and never changes.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

DRAWS = Path(__file__).with_name("first_contact")


class Judgement(NamedTuple):
    """What a reader has said of one finding."""

    draw: str
    repository: str
    code: str
    severity: str
    verdict: str
    file: str = ""
    line: str = ""


def judgements(folder: Path = DRAWS) -> list[Judgement]:
    """All that were made, in the order of the draws.

    Raises:
        OSError: a file cannot be read.
        KeyError: it lacks a column.
    """
    found: list[Judgement] = []
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found += (
                Judgement(
                    path.stem, row["repository"], row["code"], row["severity"], row["verdict"], row["file"], row["line"]
                )
                for row in csv.DictReader(file)
                if row["confidence"] == "high"
            )
    return found
