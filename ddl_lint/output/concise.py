"""Findings for people, each in one line."""

from __future__ import annotations

from ddl_lint.output.shown import Shown
from ddl_lint.output.text import Writer, finished


def render(shown: Shown) -> str:
    """One line for each finding."""
    writer = Writer(shown)
    return finished((writer.head(finding) for finding in shown.findings), shown)
