"""The open documents, as the client tells them. Lines end with `\\r\\n`, `\\n` or `\\r`, and with nothing else."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lsprotocol import types
from pygls import uris

from ddl_lint.jobs.file_names import kind_of, says_launch
from ddl_lint.source import ColumnUnit, Document, column_from_units

_LEAST = itertools.count(1)


def next_stamp() -> int:
    """A number higher than all before it: each state of each text has its own."""
    return next(_LEAST)


@dataclass(frozen=True)
class OpenText:
    """A document, or a cell of a notebook, at one version."""

    uri: str
    language: str
    version: int
    document: Document
    stamp: int
    is_launch: bool = False
    """Whether it is a launch file: one that has said something of a launch since it was opened. Others are let be."""

    @property
    def text(self) -> str:
        """Its content."""
        return self.document.text


class Texts:
    """All open documents, by URI."""

    def __init__(self) -> None:
        self.unit = ColumnUnit.UTF16
        self.revision = 0
        """Grows with every change."""
        self._open: dict[str, OpenText] = {}

    def __iter__(self) -> Iterator[OpenText]:
        return iter(tuple(self._open.values()))

    def get(self, uri: str) -> OpenText | None:
        """A document; None if it is not open."""
        return self._open.get(uri)

    def open(self, item: types.TextDocumentItem) -> OpenText:
        """Take a document in; one that is open already is replaced."""
        document = Document(item.uri, item.text)
        is_launch = _is_launch(item.uri, item.text)
        opened = OpenText(item.uri, item.language_id, item.version, document, next_stamp(), is_launch)
        self._open[item.uri] = opened
        self.revision += 1
        return opened

    def change(
        self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]
    ) -> OpenText | None:
        """Make changes, one after the other; None if the document is not open."""
        before = self._open.get(uri)
        if before is None:
            return None
        document = before.document
        for change in changes:
            document = Document(uri, _changed(document, change, self.unit))
        self.revision += 1
        is_launch = before.is_launch or _is_launch(uri, document.text)
        after = replace(before, version=version, document=document, stamp=next_stamp(), is_launch=is_launch)
        self._open[uri] = after
        return after

    def close(self, uri: str) -> OpenText | None:
        """Forget a document."""
        self.revision += 1
        return self._open.pop(uri, None)


def _is_launch(uri: str, text: str) -> bool:
    path = Path(path_of(uri, "")) if is_file(uri) else Path()
    return says_launch(kind_of(path.name, path.parent.name), text)


def _changed(document: Document, change: types.TextDocumentContentChangeEvent, unit: ColumnUnit) -> str:
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return change.text
    ends = (offset_at(document, change.range.start, unit), offset_at(document, change.range.end, unit))
    start, end = min(ends), max(ends)
    return document.text[:start] + change.text + document.text[end:]


def offset_at(document: Document, position: types.Position, unit: ColumnUnit) -> int:
    """The offset of a client's position. Past the end of a line or of the text means that end."""
    line = position.line + 1
    column = column_from_units(document.line_text(line), position.character, unit)
    return document.offset(line, column + 1)


_UNTITLED = re.compile(r"[^\w.-]+")


def path_of(uri: str, folder: str) -> str:
    """The path (POSIX) under which a document is checked; empty for what is neither a file nor an unsaved buffer.

    Args:
        uri: Of the document.
        folder: Where an unsaved buffer is taken to lie.
    """
    scheme = uris.uri_scheme(uri)
    if scheme == "file":
        path = uris.to_fs_path(uri)
        return Path(os.path.abspath(path)).as_posix() if path and "\0" not in path else ""
    if scheme == "untitled":
        name = _UNTITLED.sub("_", uri.partition(":")[2]).strip("_") or "untitled"
        return Path(folder, name if name.endswith((".py", ".ipynb")) else f"{name}.py").as_posix()
    return ""


def is_file(uri: str) -> bool:
    """Whether the document may be on the disk."""
    return uris.uri_scheme(uri) == "file"


def uri_of(path: str) -> str:
    """The URI of a file."""
    return uris.from_fs_path(path) or Path(path).as_uri()
