"""One page about a whole check, for who did not run it: what was found, what it costs, and what could not be seen."""

from __future__ import annotations

from ddl_lint.output.overview.page import render
from ddl_lint.output.overview.subject import Subject

__all__ = ["Subject", "render"]
