"""One page about a whole check for those who did not run it: what was found, what it costs, and what is unknown."""

from __future__ import annotations

from ddl_lint.output.overview.page import render
from ddl_lint.output.overview.subject import Subject

__all__ = ["Subject", "render"]
