"""Documents to the program representation, by one of two readers that give the same.

libcst reads whatever there is, and reads again only what has changed. Python's own parser is several times as quick
with a text that is read once, and is not asked where it may see something else than libcst.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddl_lint.program.lowered import LoweredFile
from ddl_lint.source import Document

if TYPE_CHECKING:
    from ddl_lint.lowering.pieces import PieceCache
    from ddl_lint.syntax.parse import ParseCache

__all__ = ["LoweredFile", "lower"]


def lower(
    document: Document,
    name: str,
    *,
    is_package: bool = False,
    cache: ParseCache | None = None,
    pieces: PieceCache | None = None,
) -> LoweredFile:
    """Parse and lower a document that the project knows under the dotted `name`.

    With the caches of its last time, which it fills again, statements at its top level that have not changed are not
    parsed again, and those before the first that did are the same objects again.
    """
    if cache is None:
        from ddl_lint.lowering.quick import read_quickly

        lowered = read_quickly(document, name, is_package=is_package)
        if lowered is not None:
            return lowered
    from ddl_lint.lowering.pieces import read_by_pieces  # brings in libcst

    return read_by_pieces(document, name, is_package=is_package, cache=cache, pieces=pieces)
