"""Documents to the program representation, by one of two readers that give the same.

Python's own parser is several times as quick, and is not asked where it may see something else than libcst, which reads
whatever there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddl_lint.program.lowered import LoweredFile
from ddl_lint.source import Document

if TYPE_CHECKING:
    from ddl_lint.lowering.pieces import PieceCache

__all__ = ["LoweredFile", "lower"]


def lower(document: Document, name: str, *, is_package: bool = False, pieces: PieceCache | None = None) -> LoweredFile:
    """Parse and lower a document that the project knows under the dotted `name`.

    With the pieces of its last state, in place of which there are those of this one afterwards, statements at its top
    level that have not changed are not read again, and those before the first that did are the same objects again.
    """
    if pieces is None:
        from ddl_lint.lowering.quick import read_quickly

        lowered = read_quickly(document, name, is_package=is_package)
        if lowered is not None:
            return lowered
    from ddl_lint.lowering.pieces import read_by_pieces

    return read_by_pieces(document, name, is_package=is_package, pieces=pieces)
