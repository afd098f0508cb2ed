"""Lets all ranks make the group."""

from __future__ import annotations

from ddl_lint.analysis.ranks.survey import Found
from ddl_lint.analysis.view import ProjectView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.offer import Unfixable
from ddl_lint.fixes.ranks.guards import move_out_of_guard

_REASON = "The other ranks wait here for those that are to be in the group"


def fix(project: ProjectView, found: Found | None) -> Fix:
    """The call before the condition, under which the group is only used."""
    if found is None:
        raise Unfixable("all ranks must make the groups of all lists, which are not written down here")
    return Fix("Make the group on all ranks", move_out_of_guard(project, found), Applicability.UNSAFE, _REASON)
