"""The smallest text that shows the same fault."""

from __future__ import annotations

from collections.abc import Callable


def smallest(text: str, fails: Callable[[str], bool], most: int = 400) -> str:
    """A text of fewer lines that fails, too; after so many tries, the smallest one so far."""
    lines = text.splitlines(keepends=True)
    size, tries = max(len(lines) // 2, 1), 0
    while tries < most:
        start = 0
        before = len(lines)
        while start < len(lines) and tries < most:
            tries += 1
            shorter = lines[:start] + lines[start + size :]
            if fails("".join(shorter)):
                lines = shorter
            else:
                start += size
        if size == 1 and len(lines) == before:
            break
        size = max(size // 2, 1)
    return "".join(lines)
