"""Prints findings: one module per format, and `render` for all of them; `timing` for where the time went,
`program_lines` for what was followed."""

from __future__ import annotations

from ddl_lint.output.formats import FORMATS
from ddl_lint.output.programs import lines as program_lines
from ddl_lint.output.report import render
from ddl_lint.output.text import summary
from ddl_lint.output.timing import timing

__all__ = ["FORMATS", "program_lines", "render", "summary", "timing"]
