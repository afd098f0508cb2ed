"""Prints findings: one module per format, and `render` for all of them; `timing` for where the time went."""

from __future__ import annotations

from ddl_lint.output.report import FORMATS, render
from ddl_lint.output.timing import timing

__all__ = ["FORMATS", "render", "timing"]
