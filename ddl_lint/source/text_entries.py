"""The entries of files that are not Python: commands of a shell script, instructions, lines of a list.

An entry goes on after a backslash; in a shell script also while a quote or a here-document is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ddl_lint.source.document import Document

SHELL_SUFFIXES = (".sh", ".bash", ".sbatch", ".slurm", ".pbs", ".job", ".lsf")
"""Of shell scripts that launch."""

_BATCH_LINE = re.compile(r"\s*#+[ \t]*(?:SBATCH|PBS|BSUB)\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"\\.|'[^']*(?:'|\Z)|\"(?:[^\"\\]|\\.)*(?:\"|\Z)|(?:(?<=[\s;&|(])|^)#[^\n]*|"
    r"(?<!<)<<(?!<)-?[ \t]*(?P<quote>['\"]?)(?P<end>\w+)(?P=quote)",
    re.DOTALL | re.MULTILINE,
)


class Entry(NamedTuple):
    """Its first and last line, from 1."""

    first: int
    last: int


def is_comment(line: str) -> bool:
    """Whether a line is nothing but a comment. The directives of a batch script are more."""
    return line.lstrip().startswith("#") and not _BATCH_LINE.match(line)


def entries(document: Document) -> list[Entry]:
    """The entries of a document, in order; blank lines and comments between them are none."""
    lines = [document.line_text(number) for number in range(1, document.line_count + 1)]
    inside = _continued(document) if document.path.endswith(SHELL_SUFFIXES) else frozenset[int]()
    return list(_entries(lines, inside))


def _entries(lines: Sequence[str], inside: frozenset[int]) -> Iterator[Entry]:
    number, count = 1, len(lines)
    while number <= count:
        first = number
        line = lines[first - 1]
        if line.strip() and not is_comment(line):
            while number < count and (number + 1 in inside or lines[number - 1].rstrip().endswith("\\")):
                number += 1
            yield Entry(first, number)
        number += 1


def _continued(document: Document) -> frozenset[int]:
    """The lines of a shell script that begin in a quote or a here-document; none if one of them is not closed."""
    text = document.text
    found: set[int] = set()
    at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        at = token.end()
        word = token.group()
        if token["end"] is not None:
            close = re.compile(rf"^[ \t]*{re.escape(token['end'])}\s*?$", re.MULTILINE).search(text, at)
            if close is None:
                return frozenset()
            at = close.end()
        elif word[0] in "'\"" and (len(word) == 1 or word[-1] != word[0]):
            return frozenset()
        if word[0] in "'\"<":
            first, last = document.position(token.start())[0], document.position(at)[0]
            found.update(range(first + 1, last + 1))
    return frozenset(found)
