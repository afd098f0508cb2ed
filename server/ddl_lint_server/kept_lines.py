"""What was found in an earlier text of a document, in its present one: as far as its lines are still there."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ddl_lint.source.lexer import physical_lines
from ddl_lint_server.messages import Checked, Found, Place, Repair, Text


def in_present_text(checked: Checked, path: str, before: str, present: Text) -> Checked:
    """What is still known of a document of which an earlier text was checked."""
    old, new = [*physical_lines(before)], [*physical_lines(present.content)]
    lines: dict[int, int] = {}
    for first, now, count in difflib.SequenceMatcher(None, old, new).get_matching_blocks():
        lines.update(zip(range(first, first + count), range(now, now + count), strict=True))
    kept = _KeptLines(path, lines, _starts(old), _starts(new))
    return Checked(present.stamp, checked.digest, tuple(filter(None, map(kept.found, checked.found))))


def _starts(lines: Sequence[str]) -> list[int]:
    return [*accumulate(map(len, lines), initial=0)]


@dataclass(frozen=True, slots=True)
class _KeptLines:
    """The lines of a document that are still there."""

    path: str
    lines: Mapping[int, int]
    """Where they were to where they are."""

    before: Sequence[int]
    """The offset at which each line of the earlier text begins."""

    now: Sequence[int]

    def place(self, place: Place) -> Place | None:
        """Where a place is now; None if something has changed in it."""
        if place.path != self.path:
            return place
        last = max(place.start_line, place.end_line - (not place.end_column))
        moved = {self.lines[line] - line if line in self.lines else None for line in range(place.start_line, last + 1)}
        by = moved.pop()
        if moved or by is None:
            return None
        return place._replace(start_line=place.start_line + by, end_line=place.end_line + by)

    def found(self, found: Found) -> Found | None:
        """A finding at its present place, with the fix if all that it changes is still there."""
        place = self.place(found.place)
        if place is None:
            return None
        start = found.start - self.before[found.place.start_line] + self.now[place.start_line]
        there = ((each, self.place(each.place)) for each in found.related)
        related = tuple(each._replace(place=at) for each, at in there if at is not None)
        return replace(found, place=place, start=start, related=related, repair=self._repair(found.repair))

    def _repair(self, repair: Repair | None) -> Repair | None:
        if repair is None:
            return None
        there = [(change, self.place(change.place)) for change in repair.changes]
        changes = tuple(change._replace(place=at) for change, at in there if at is not None)
        return replace(repair, changes=changes) if len(changes) == len(repair.changes) else None
