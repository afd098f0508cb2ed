"""Documents to libcst statements, chunk by chunk, tolerant of errors."""

from __future__ import annotations

from ddl_lint.syntax.chunks import Chunk, cut
from ddl_lint.syntax.limits import in_deep_stack
from ddl_lint.syntax.parse import ChunkTree, ParseCache, ParsedChunk, SyntaxFault, SyntaxTree, parse
from ddl_lint.syntax.triage import Triage, imported_names

__all__ = [
    "Chunk",
    "ChunkTree",
    "ParseCache",
    "ParsedChunk",
    "SyntaxFault",
    "SyntaxTree",
    "Triage",
    "cut",
    "imported_names",
    "in_deep_stack",
    "parse",
]
