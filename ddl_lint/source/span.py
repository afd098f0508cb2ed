"""Where something is in a text."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of a document's text.

    Both ends are offsets in code points, counted from the start of `Document.text`.
    """

    start: int
    end: int


class Location(NamedTuple):
    """A range of a file: what a finding or a piece of evidence points at.

    `path` is the path of the document as the project knows it (absolute, POSIX separators).
    """

    path: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The range without its file."""
        return Span(self.start, self.end)

    def covers(self, inner: Location) -> bool:
        """Whether another place is in this one, or is the same."""
        return self.path == inner.path and self.start <= inner.start and inner.end <= self.end
