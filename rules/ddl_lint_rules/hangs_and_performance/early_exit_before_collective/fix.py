"""Lets all ranks make the call before some of them leave."""

from __future__ import annotations

from ddl_lint.analysis.ranks.survey import Found
from ddl_lint.analysis.view import ProjectView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.ranks.exits import move_exit_behind

_REASON = "What stood between the way out and the call now runs on all ranks"


def fix(project: ProjectView, found: Found) -> Fix:
    """The way out behind the last call that the leaving ranks miss."""
    return Fix("Make the call before some ranks leave", move_exit_behind(project, found), Applicability.UNSAFE, _REASON)
