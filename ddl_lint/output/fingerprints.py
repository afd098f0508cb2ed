"""What a finding is known by when it is found again: lines that move, code beside it and white space do not count."""

from __future__ import annotations

import hashlib
import json
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.source.document import Document
from ddl_lint.source.lexer import Kind, logical_lines, scan
from ddl_lint.source.span import Location

_DEFINITION = re.compile(r"(?:async\s+def|def|class)\s+(\w+)")
_PLAIN_STRING = re.compile(r"'([^'\"\\\r\n]*)'")
_PIECE = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w")
_WORD_END = re.compile(r"\w\Z")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The parts that a finding is known by, all as the file has them."""

    rule: str
    """Its code."""
    file: str
    """Relative to a folder, with `/`."""
    function: str
    """The qualified name of the function or class around the place, such as `Trainer.fit`; empty at the top level."""
    code: str
    """What is written at the place, up to its first bracket, without the white space that means nothing."""
    ordinal: int = 0
    """Counts the findings that have all of this in common, in the order of the file."""

    @property
    def value(self) -> str:
        """The same in 32 hexadecimal digits."""
        parts = (self.rule, self.file, self.function, self.code, self.ordinal)
        return hashlib.sha256(json.dumps(parts).encode("ascii")).hexdigest()[:32]


def fingerprints(
    findings: Sequence[Diagnostic], documents: Mapping[str, Document], folder: str = ""
) -> list[Fingerprint]:
    """The fingerprint of each finding, in their order; files relative to `folder`, or to the working directory."""
    scopes = {path: _Scopes(document) for path, document in _used(findings, documents).items()}
    folder = folder or os.getcwd()
    seen: Counter[Fingerprint] = Counter()
    found: dict[int, Fingerprint] = {}
    in_order = sorted(range(len(findings)), key=lambda index: (findings[index].location, findings[index].message))
    for index in in_order:
        location = findings[index].location
        scope = scopes.get(location.path)
        function, code = ("", "") if scope is None else (scope.around(location.start), _code(location, scope.document))
        first = Fingerprint(findings[index].code, relative(location.path, folder), function, code)
        found[index] = Fingerprint(first.rule, first.file, function, code, seen[first])
        seen[first] += 1
    return [found[index] for index in range(len(findings))]


def relative(path: str, folder: str) -> str:
    """A file as it is seen from a folder: with `..` where it is not below it."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return path


def _used(findings: Sequence[Diagnostic], documents: Mapping[str, Document]) -> dict[str, Document]:
    paths = dict.fromkeys(finding.location.path for finding in findings)
    return {path: document for path in paths if (document := documents.get(path)) is not None}


class _Scopes:
    """The functions and classes of a document, by indentation: its text may not be valid Python."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._starts: list[int] = []
        self._names: list[str] = []
        if document.kind != "text":
            self._read(document.text)

    def around(self, offset: int) -> str:
        """The qualified name of what is around an offset."""
        index = bisect_right(self._starts, offset) - 1
        return self._names[index] if index >= 0 else ""

    def _read(self, text: str) -> None:
        """Note from where on each name holds: from the end of its header to the next line that is not further right."""
        open_: list[tuple[int, str]] = []
        for line in logical_lines(text):
            if not line.has_code:
                continue
            indent = line.start - (max(text.rfind("\n", 0, line.start), text.rfind("\r", 0, line.start)) + 1)
            if open_ and indent <= open_[-1][0]:
                while open_ and indent <= open_[-1][0]:
                    open_.pop()
                self._note(line.start, open_)
            header = _DEFINITION.match(text, line.start, line.code_end)
            if header is not None:
                open_.append((indent, header[1]))
                self._note(line.code_end, open_)

    def _note(self, offset: int, open_: Sequence[tuple[int, str]]) -> None:
        self._starts.append(offset)
        self._names.append(".".join(name for _, name in open_))


def _code(location: Location, document: Document) -> str:
    text = document.text[location.start : location.end]
    if document.kind == "text":
        return " ".join(text.split())
    pieces: list[str] = []
    position = 0
    for token in scan(text):
        pieces += _PIECE.findall(text, position, token.start)
        position = token.end
        if token.kind is Kind.OPEN and pieces:
            return _joined(pieces)
        if token.kind is Kind.STRING:
            pieces.append(_PLAIN_STRING.sub(r'"\1"', text[token.start : token.end]))
        elif token.kind in (Kind.OPEN, Kind.CLOSE, Kind.UNTERMINATED):
            pieces.append(text[token.start : token.end])
    return _joined([*pieces, *_PIECE.findall(text, position)])


def _joined(pieces: Sequence[str]) -> str:
    """Pieces of code with a blank where two words would become one."""
    joined = ""
    for piece in pieces:
        joined += f" {piece}" if _WORD_END.search(joined) and _WORD.match(piece) else piece
    return joined
