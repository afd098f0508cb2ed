"""Prints findings: one module per format, and `render` for all of them."""

from __future__ import annotations

from ddl_lint.output.report import FORMATS, render

__all__ = ["FORMATS", "render"]
