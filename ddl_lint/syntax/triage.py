"""Which files can matter, judged by their bytes before anything is decoded or parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


class Triage:
    """Looks for import lines of some packages. Build it once; it knows no framework of its own."""

    def __init__(self, packages: Iterable[str]) -> None:
        """`packages` are top-level import names, such as `torch`."""
        self.packages = frozenset(packages)
        self._words = tuple(sorted(name.encode() for name in self.packages))
        names = b"|".join(map(re.escape, self._words)) or rb"(?!)"
        # `import os, torch` is found as well. In a notebook the line is a JSON string and begins with a quote.
        self._import = re.compile(
            rb"(?:^|\A\xef\xbb\xbf|[\r;:\"]|\\n)[ \t\f]*(?:lazy[ \t]+)?(?:from[ \t]+(?:" + names + rb")\b"
            rb"|import[ \t]+(?:[\w. \t]+,[ \t]*)*(?:" + names + rb")\b)",
            re.MULTILINE,
        )
        self._handed = re.compile(
            rb"^[ \t\f]*from[ \t]+([\w.]+)[ \t]+import[ \t]*(?:\*|[^\n#]*\b(?:" + names + rb")\b)",
            re.MULTILINE,
        )

    def can_matter(self, data: bytes) -> bool:
        """Whether a file imports one of the packages. It may be true for text in a docstring, never false for an import
        that is written on one line."""
        return any(word in data for word in self._words) and self._import.search(data) is not None

    def handed_on(self, data: bytes) -> frozenset[str]:
        """The modules from which a file may get one of the packages, as by `from common import *` or `from .common
        import torch`, each as it is written."""
        return frozenset(match.group(1).decode("utf-8", "replace") for match in self._handed.finditer(data))


class Import(NamedTuple):
    """What an import line brings in, as it is written: `from ..module import names`; without names, `import module`."""

    level: int
    """How many dots come before the module."""
    module: str
    names: tuple[str, ...] = ()


_IMPORTS_BY_NAME = re.compile(rb"\b(?:import_module|run_module|__import__)\([ \t]*f?[\"']([\w.]+)")
_WORD = re.compile(rb"import\b")
_BEGIN = re.compile(rb".*(?:\\n|[;:\"\r])", re.DOTALL)
_FROM = re.compile(rb"\s*(?:lazy\s+)?from\s*(\.*)\s*([\w.]*)\s*")
_PLAIN = re.compile(rb"\s*(?:lazy\s+)?")
_END = re.compile(rb"\\n|[;#\"\r\n]")
_CONTINUED = re.compile(rb"\\\r?\n")
_CELL_LINE = re.compile(rb"\\n\"?,?")
_COMMENT = re.compile(rb"#[^\n]*")


def imports(data: bytes) -> tuple[Import, ...]:
    """What the import lines of a file bring in, each once.

    Cheap and generous: lines inside of strings count too; a notebook is read as it is stored.
    """
    found: dict[Import, None] = {}
    for match in _WORD.finditer(data):
        start, end = match.span()
        earliest = max(0, start - _LONGEST_MODULE)
        head = data[max(data.rfind(b"\n", earliest, start) + 1, earliest) : start]
        before = _BEGIN.match(head)
        head = head[before.end() :] if before is not None else head
        source = _FROM.fullmatch(head)
        if source is None and _PLAIN.fullmatch(head) is None:
            continue
        words = _words(data, end)
        if source is not None:
            found[Import(len(source[1]), _text(source[2]), words)] = None
        else:
            found.update((Import(0, word), None) for word in words)
    found.update((Import(0, _text(match[1])), None) for match in _IMPORTS_BY_NAME.finditer(data))
    return tuple(found)


def _words(data: bytes, start: int) -> tuple[str, ...]:
    """The names that are listed from here on, without what `as` calls them."""
    rest = data[start : start + _LONGEST]
    if rest.lstrip(b" \t").startswith(b"("):
        listed = _CELL_LINE.sub(b" ", _COMMENT.sub(b"", rest).partition(b")")[0].replace(b"(", b"", 1))
    else:
        listed = _END.split(_CONTINUED.sub(b" ", rest), 1)[0]
    firsts = (part.strip(b' \t\r\n"').split() for part in listed.split(b","))
    return tuple(_text(first[0]) for first in firsts if first)


_LONGEST_MODULE, _LONGEST = 500, 10_000  # bytes of what comes before `import`, and after it


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
