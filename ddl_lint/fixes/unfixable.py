"""Why there is no fix for a place."""

from __future__ import annotations

from dataclasses import replace

from ddl_lint.finding import Finding


class Unfixable(Exception):
    """There is no fix for this place; `str()` of it says why, as a half sentence: `the body has no line of its own`."""


def without_fix(finding: Finding, because: str) -> Finding:
    """The finding without its fix, for this reason, a half sentence."""
    return replace(finding, fix=None, unfixable=because) if finding.fix is not None else finding
