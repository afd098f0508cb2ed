"""Parsed documents to the program representation."""

from __future__ import annotations

from ddl_lint.lowering.layout import place_nodes
from ddl_lint.lowering.lower import Lowering
from ddl_lint.lowering.slow_layout import place_nodes_slowly
from ddl_lint.program import code
from ddl_lint.program.lowered import LoweredFile
from ddl_lint.source import Document
from ddl_lint.syntax.parse import ParseCache, SyntaxTree, parse
from ddl_lint.timing import stage

__all__ = ["LoweredFile", "lower", "lower_tree"]


def lower(document: Document, name: str, *, is_package: bool = False, cache: ParseCache | None = None) -> LoweredFile:
    """Parse and lower a document that the project knows under the dotted `name`."""
    with stage("parse", document.path):
        tree = parse(document, cache)
    with stage("lower", document.path):
        return lower_tree(document, tree, name, is_package=is_package)


def lower_tree(document: Document, tree: SyntaxTree, name: str, *, is_package: bool = False) -> LoweredFile:
    """Lower a parsed document."""
    lowering = Lowering(name, is_package=is_package)
    body: list[code.Statement] = []
    for chunk in tree.chunks:
        if not chunk.body:
            continue
        extents = place_nodes(chunk.module, chunk.source)
        if extents is None:
            extents = place_nodes_slowly(chunk.module, chunk.source)
        body.extend(lowering.chunk(chunk.body, extents, chunk.start))
    module = code.Module(document.path, name, is_package, body, frozenset(lowering.imported))
    return LoweredFile(module, tree.errors)
