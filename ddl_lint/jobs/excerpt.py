"""A piece of text with its place in a file: a whole shell script, or one in a YAML or JSON value."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType

from ddl_lint.source.nodes import Scalar
from ddl_lint.source.span import Location


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A text, and where each of its characters is."""

    path: str
    text: str
    starts: tuple[tuple[int, int], ...] = ((0, 0),)
    """Offsets in the text, ascending from 0, with the offsets in the file at which what follows begins."""

    whole: Location | None = None
    """Where all of it is, if its characters have no places of their own: they are written otherwise in the file."""

    expanded: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """Of what follows one of these offsets in the text, as a variable's value does, where it ends in the file."""

    def place(self, start: int, end: int) -> Location:
        """Where a range of the text, in code points, is in the file."""
        if self.whole is not None:
            return self.whole
        begins, offset = self._piece(start)
        first = offset if begins in self.expanded else offset + start - begins
        if end <= start:
            return Location(self.path, first, first)
        begins, offset = self._piece(end - 1)
        return Location(self.path, first, max(first, self.expanded.get(begins, offset + end - begins)))

    def _piece(self, at: int) -> tuple[int, int]:
        """Where the piece begins that has a character, in the text and in the file."""
        return self.starts[bisect_right(self.starts, (at, 1 << 62)) - 1]


def of_scalar(path: str, document: str, scalar: Scalar) -> Excerpt:
    """The text of a YAML or JSON value in a document."""
    start, end = scalar.span
    text = scalar.text
    raw = document[start:end]
    if raw == text:
        return Excerpt(path, text, ((0, start),))
    if len(raw) >= 2 and raw[1:-1] == text:
        return Excerpt(path, text, ((0, start + 1),))
    if scalar.style == "block" and raw.startswith("|"):
        lines = _block_lines(path, text, raw, start)
        if lines is not None:
            return lines
    return Excerpt(path, text, ((0, start),), Location(path, start, end))


def _block_lines(path: str, text: str, raw: str, start: int) -> Excerpt | None:
    """Each line of a literal block is in the file unchanged, after the indentation."""
    written = raw.splitlines(keepends=True)
    offsets = list(accumulate(map(len, written), initial=start))[1:]
    starts: list[tuple[int, int]] = []
    at = 0
    wanted = text.splitlines(keepends=True)
    for line, shown, offset in zip(wanted, written[1:], offsets, strict=False):
        content = line.rstrip("\r\n")
        if not shown.rstrip("\r\n").endswith(content):
            return None
        starts.append((at, offset + len(shown.rstrip("\r\n")) - len(content)))
        at += len(line)
    return Excerpt(path, text, tuple(starts)) if starts else None
