"""Documents and parts of them to the program representation by libcst, which reads whatever there is."""

from __future__ import annotations

from ddl_lint.lowering.from_libcst import Lowering
from ddl_lint.lowering.layout import place_nodes
from ddl_lint.lowering.slow_layout import place_nodes_slowly
from ddl_lint.program import code
from ddl_lint.program.lowered import LoweredFile
from ddl_lint.source import Document
from ddl_lint.syntax.lines import Damage
from ddl_lint.syntax.parse import ChunkTree, ParsedChunk, SyntaxTree, parse, parse_chunk
from ddl_lint.timing import stage


def read_by_libcst(document: Document, name: str, *, is_package: bool) -> LoweredFile:
    """Parse and lower a document."""
    with stage("parse", document.path):
        tree = parse(document)
    with stage("lower", document.path):
        return lower_tree(document, tree, name, is_package=is_package)


def lower_tree(document: Document, tree: SyntaxTree, name: str, *, is_package: bool = False) -> LoweredFile:
    """Lower a parsed document."""
    lowering = Lowering(name, is_package=is_package)
    body = [statement for chunk in tree.chunks for statement in _lowered(chunk, chunk.start, lowering)]
    module = code.Module(document.path, name, is_package, body, frozenset(lowering.imported), lowering.words)
    return LoweredFile(module, tree.errors)


def read_text_by_libcst(
    text: str, base: int, path: str, name: str, *, is_package: bool
) -> tuple[list[code.Statement], Lowering, Damage | None]:
    """The statements of a part of the file at a path, which begins at the offset `base`; what has lowered them, and
    what is wrong with it. To be called where deep recursion is safe.
    """
    lowering = Lowering(name, is_package=is_package)
    with stage("parse", path):
        tree = parse_chunk(text)
    with stage("lower", path):
        return _lowered(tree, base, lowering), lowering, tree.fault


def _lowered(tree: ChunkTree | ParsedChunk, start: int, lowering: Lowering) -> list[code.Statement]:
    if not tree.module.body:
        return []
    extents = place_nodes(tree.module, tree.source)
    if extents is None:
        extents = place_nodes_slowly(tree.module, tree.source)
    return lowering.chunk(tree.module.body, extents, start)
