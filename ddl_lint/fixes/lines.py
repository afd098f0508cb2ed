"""The lines of an edited text, whatever language it is written in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ddl_lint.finding import Edit
from ddl_lint.source import Document, Location

_BLANK = re.compile(r"[ \t\f]*")


@dataclass(frozen=True)
class Lines:
    """A document and its lines. Offsets are those of `Document.text`."""

    document: Document

    @property
    def text(self) -> str:
        """The text of the document."""
        return self.document.text

    @property
    def newline(self) -> str:
        """The line end that the file uses."""
        return self.document.newline

    def line_start(self, offset: int) -> int:
        """Where the physical line of an offset begins."""
        line, _ = self.document.position(offset)
        return self.document.offset(line, 1)

    def line_end(self, offset: int) -> int:
        """Where the physical line of an offset ends, before its line end."""
        line, _ = self.document.position(offset)
        return self.document.offset(line, 1) + len(self.document.line_text(line))

    def next_line(self, offset: int) -> int:
        """Where the physical line after that of an offset begins; the end of the text after the last one."""
        line, _ = self.document.position(offset)
        return self.document.offset(line + 1, 1)

    def indent_at(self, offset: int) -> str:
        """The blanks at the head of the line of an offset."""
        match = _BLANK.match(self.text, self.line_start(offset))
        return match.group() if match else ""

    def begins_line(self, offset: int) -> bool:
        """Whether only blanks precede an offset in its line."""
        return not self.text[self.line_start(offset) : offset].strip()

    def blanks_end(self, offset: int) -> int:
        """Where the blanks from an offset on end, within its line."""
        match = _BLANK.match(self.text, offset)
        return match.end() if match else offset

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Replace a range of the text."""
        return Edit(Location(self.document.path, start, end), text)
