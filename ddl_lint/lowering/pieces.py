"""Documents to the program representation, piece by piece: what has not changed is not read again.

A piece is a statement at the top level, with what follows it. One that has only moved is the same program, moved.
"""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass, replace
from typing import TypeAlias

from ddl_lint.lowering.quick import read_text
from ddl_lint.program import code
from ddl_lint.program.lowered import LoweredFile
from ddl_lint.program.moved import moved
from ddl_lint.source import Document
from ddl_lint.syntax.limits import in_deep_stack
from ddl_lint.syntax.lines import Damage
from ddl_lint.syntax.regions import read_chunks
from ddl_lint.timing import stage


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file as a program: where it begins and in which module, and what it is."""

    start: int
    module: tuple[str, bool]
    body: list[code.Statement]
    imported: frozenset[str]
    words: frozenset[str]
    fault: Damage | None = None

    def at(self, start: int) -> Piece:
        """The same piece where it begins now."""
        return self if start == self.start else replace(self, start=start, body=moved(self.body, start - self.start))


PieceCache: TypeAlias = dict[tuple[str, int], Piece]
"""Pieces by their text, and by how many equal ones come before."""


def read_by_pieces(document: Document, name: str, *, is_package: bool, pieces: PieceCache | None = None) -> LoweredFile:
    """Read a document. `pieces` are those of its last state, and afterwards those of this one."""
    return in_deep_stack(_read, document, name, is_package, {} if pieces is None else pieces)


def _read(document: Document, name: str, is_package: bool, pieces: PieceCache) -> LoweredFile:
    reader = _Reader(document.path, name, is_package, pieces)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about escapes; they mean the same to all parsers
        found = [(chunk.start, piece) for chunk, piece in read_chunks(document, reader.read)]
    pieces.clear()
    pieces.update(reader.used)
    body = [statement for _, piece in found for statement in piece.body]
    imported = frozenset[str]().union(*(piece.imported for _, piece in found))
    words = frozenset[str]().union(*(piece.words for _, piece in found))
    faults = tuple(piece.fault.at(start) for start, piece in found if piece.fault is not None)
    return LoweredFile(code.Module(document.path, name, is_package, body, imported, words), faults)


class _Reader:
    """Reads pieces of one text, with those of the last time at hand."""

    def __init__(self, path: str, name: str, is_package: bool, known: PieceCache) -> None:
        self.used: PieceCache = {}
        self._path = path
        self._module = (name, is_package)
        self._known = known
        self._count: Counter[str] = Counter()

    def read(self, text: str, start: int) -> Piece:
        """The piece with this text, which begins at an offset of the document."""
        key = (text, self._count[text])
        self._count[text] += 1
        piece = self._known.get(key)
        if piece is None or piece.module != self._module:
            piece = self._new(text, start)
        else:
            with stage("lower", self._path):
                piece = piece.at(start)
        self.used[key] = piece
        return piece

    def _new(self, text: str, start: int) -> Piece:
        name, is_package = self._module
        quick = read_text(text, start, self._path, name, is_package=is_package)
        if quick is not None:
            body, lowering = quick
            return Piece(start, self._module, body, frozenset(lowering.imported), lowering.words)
        from ddl_lint.lowering.by_libcst import read_text_by_libcst  # libcst takes long to load

        body, careful, fault = read_text_by_libcst(text, start, self._path, name, is_package=is_package)
        return Piece(start, self._module, body, frozenset(careful.imported), careful.words, fault)
