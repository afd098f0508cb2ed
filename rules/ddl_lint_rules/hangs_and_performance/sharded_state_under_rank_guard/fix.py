"""Lets all ranks give their part of the state."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Fix, Found, RunView, move_out_of_guard

_REASON = "The other ranks spend time and memory on the state, and may write to the path"


def fix(run: RunView, found: Found) -> Fix:
    """The call before the guard, or between two halves of it; what is for some ranks only stays under it."""
    return Fix(
        "Move the call out of the condition, to all ranks", move_out_of_guard(run, found), Applicability.UNSAFE, _REASON
    )
