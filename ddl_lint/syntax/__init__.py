"""Documents to libcst statements, chunk by chunk, tolerant of errors.

The module `parse` is imported by those who parse: it brings in libcst, which takes long to load.
"""

from __future__ import annotations

from ddl_lint.syntax.chunks import Chunk, cut
from ddl_lint.syntax.limits import in_deep_stack, in_deep_stack_until
from ddl_lint.syntax.triage import Import, Triage, imports

__all__ = [
    "Chunk",
    "Import",
    "Triage",
    "cut",
    "imports",
    "in_deep_stack",
    "in_deep_stack_until",
]
