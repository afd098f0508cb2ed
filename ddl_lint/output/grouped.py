"""Findings for people, file by file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.output.places import Place, place_of
from ddl_lint.output.shown import Shown
from ddl_lint.output.text import BOLD, Writer, finished


def render(shown: Shown) -> str:
    """Each file with its findings below it, one line each, and an empty line after it."""
    placed = [(place_of(finding.location, shown.documents), finding) for finding in shown.findings]
    groups = groupby(placed, key=lambda each: each[0].file)
    return finished(("\n".join(_block(Writer(shown), list(group))) for _, group in groups), shown)


def _block(writer: Writer, found: list[tuple[Place, Diagnostic]]) -> Iterator[str]:
    first = found[0][0]
    yield writer.linked(writer.paint(first.name, BOLD), first)
    width = max(len(place.position) for place, _ in found)
    for place, finding in found:
        yield f"  {' ' * (width - len(place.position))}{writer.linked(place.position, place)}  {writer.told(finding)}"
    yield ""
