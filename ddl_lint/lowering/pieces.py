"""libcst trees to the program representation, piece by piece: what has not changed is not lowered again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import libcst as cst

from ddl_lint.lowering.from_libcst import Lowering
from ddl_lint.lowering.layout import place_nodes
from ddl_lint.lowering.slow_layout import place_nodes_slowly
from ddl_lint.program import code
from ddl_lint.program.lowered import LoweredFile
from ddl_lint.source import Document
from ddl_lint.syntax.parse import ParseCache, ParsedChunk, SyntaxTree, parse
from ddl_lint.timing import stage


@dataclass(frozen=True, slots=True)
class _Piece:
    """A lowered chunk: where it was and in which module, and what it is."""

    start: int
    module: tuple[str, bool]
    body: Sequence[code.Statement]
    imported: frozenset[str]
    words: frozenset[str]


PieceCache: TypeAlias = "dict[cst.Module, _Piece]"
"""Lowered chunks by their trees."""


def read_by_pieces(
    document: Document, name: str, *, is_package: bool, cache: ParseCache | None, pieces: PieceCache | None
) -> LoweredFile:
    """Parse and lower a document by libcst; arguments as for `lower`."""
    with stage("parse", document.path):
        tree = parse(document, cache)
    with stage("lower", document.path):
        return lower_tree(document, tree, name, is_package=is_package, pieces=pieces if cache is not None else None)


def lower_tree(
    document: Document, tree: SyntaxTree, name: str, *, is_package: bool = False, pieces: PieceCache | None = None
) -> LoweredFile:
    """Lower a parsed document."""
    known = pieces if pieces is not None else {}
    lowered = {chunk.module: _lowered(chunk, (name, is_package), known) for chunk in tree.chunks if chunk.body}
    if pieces is not None:
        pieces.clear()
        pieces.update(lowered)
    parts = lowered.values()
    body = [statement for part in parts for statement in part.body]
    imported = frozenset[str]().union(*(part.imported for part in parts))
    words = frozenset[str]().union(*(part.words for part in parts))
    return LoweredFile(code.Module(document.path, name, is_package, body, imported, words), tree.errors)


def _lowered(chunk: ParsedChunk, module: tuple[str, bool], known: PieceCache) -> _Piece:
    piece = known.get(chunk.module)
    if piece is not None and (piece.start, piece.module) == (chunk.start, module):
        return piece
    extents = place_nodes(chunk.module, chunk.source)
    if extents is None:
        extents = place_nodes_slowly(chunk.module, chunk.source)
    name, is_package = module
    lowering = Lowering(name, is_package=is_package)
    body = lowering.chunk(chunk.body, extents, chunk.start)
    return _Piece(chunk.start, module, body, frozenset(lowering.imported), lowering.words)
