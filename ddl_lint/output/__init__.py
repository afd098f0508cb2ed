"""Prints findings: one module per format, and `render` for all of them. `timing` tells where the time went, `programs`
what was followed.
"""

from __future__ import annotations

from ddl_lint.output.formats import FORMATS
from ddl_lint.output.report import render

__all__ = ["FORMATS", "render"]
