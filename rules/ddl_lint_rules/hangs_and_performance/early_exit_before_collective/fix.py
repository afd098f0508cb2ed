"""Lets all ranks make the call before some of them leave."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Fix,
    Found,
    LocalDivergence,
    RunView,
    Unfixable,
    Who,
    asked_at,
    decide_together,
    move_exit_behind,
)

_REASON = "The code between the early exit and the call now runs on all ranks"


def fix(run: RunView, found: Found) -> Fix:
    """The early exit after the last call that the leaving ranks miss."""
    return Fix("Move the call before the early exit", move_exit_behind(run, found), Applicability.UNSAFE, _REASON)


def leave_together(run: RunView, divergence: LocalDivergence) -> Fix:
    """`if not os.path.exists(shard): return` to whether any rank misses its file."""
    if divergence.decides is None or divergence.waits.event is None:
        raise Unfixable("there is no condition that the ranks could evaluate together")
    place = asked_at(run, divergence.decides)
    who: Who = "any" if divergence.leaves else "all"
    names = ("leave", "all_leave") if divergence.leaves else ("go_on", "all_go_on")
    waits = divergence.waits.event
    edits = decide_together(run, place, divergence.decides, waits, who, names, plain=True)
    return Fix(
        "Leave on all ranks as soon as one of them leaves",
        edits,
        Applicability.UNSAFE,
        "The ranks communicate at the condition, and all leave as soon as one of them leaves",
    )
