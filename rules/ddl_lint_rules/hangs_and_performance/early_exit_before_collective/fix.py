"""Lets all ranks make the call before some of them leave."""

from __future__ import annotations

from ddl_lint.analysis.ranks.nondeterminism import Parting
from ddl_lint.analysis.ranks.survey import Found
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.ranks.agreement import Who, asked_at, decide_together
from ddl_lint.fixes.ranks.exits import move_exit_behind

_REASON = "What stood between the way out and the call now runs on all ranks"


def fix(run: RunView, found: Found) -> Fix:
    """The way out behind the last call that the leaving ranks miss."""
    return Fix("Make the call before some ranks leave", move_exit_behind(run, found), Applicability.UNSAFE, _REASON)


def leave_together(run: RunView, parting: Parting) -> Fix:
    """`if not os.path.exists(shard): return` to whether any rank misses its file."""
    if parting.decides is None or parting.waits.event is None:
        raise Unfixable("there is no condition that the ranks could answer together")
    place = asked_at(run, parting.decides)
    who: Who = "any" if parting.leaves else "all"
    names = ("leave", "all_leave") if parting.leaves else ("go_on", "all_go_on")
    edits = decide_together(run, place, parting.decides, parting.waits.event, who, names, plain=True)
    return Fix(
        "Leave on all ranks as soon as one of them would",
        edits,
        Applicability.UNSAFE,
        "The ranks communicate where the condition is asked, and all leave as soon as one of them would",
    )
