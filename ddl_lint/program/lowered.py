"""What lowering makes of a file."""

from __future__ import annotations

from dataclasses import dataclass

from ddl_lint.program import code
from ddl_lint.source.fault import SyntaxFault


@dataclass(frozen=True, slots=True)
class LoweredFile:
    """The program of a file, and where its syntax is broken."""

    module: code.Module
    faults: tuple[SyntaxFault, ...]
