"""Lets all workers make the call."""

from __future__ import annotations

from ddl_lint.analysis.facts import depends_on_rank
from ddl_lint.analysis.ranks.survey import Found
from ddl_lint.analysis.view import ProjectView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.offer import Unfixable
from ddl_lint.fixes.ranks.guards import calls_under, move_out_of_guard
from ddl_lint.program.trace import Event

_REASON = "The other workers make the call, too, and do the work that leads to it"
_WRITING = frozenset({"save", "save_sharded", "write_file"})


def fix(project: ProjectView, found: Found) -> Fix:
    """The call before the condition; one that writes only where each worker has a path of its own."""
    for call in calls_under(project, found):
        for step in call.steps:
            if step.event is not None and _writes_over_others(project, step.event):
                raise Unfixable("all workers would write to one path, and each needs its own")
    return Fix("Make the call on all workers", move_out_of_guard(project, found), Applicability.UNSAFE, _REASON)


def _writes_over_others(project: ProjectView, event: Event) -> bool:
    if event.kind not in _WRITING or project.api.class_(event.api) is not None:
        return False  # a callback knows which worker it works for
    return not depends_on_rank(event.operands.get("path"))
