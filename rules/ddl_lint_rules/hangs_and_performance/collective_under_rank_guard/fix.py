"""Lets all ranks make the call."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Fix, Found, RunView, move_out_of_guard

_REASON = "The other ranks also make the call and do the work for it"


def fix(run: RunView, found: Found) -> Fix:
    """The call before the guard, or between two halves of it; what is for some ranks only stays under it."""
    return Fix(
        "Move the call out of the condition on the rank",
        move_out_of_guard(run, found),
        Applicability.UNSAFE,
        _REASON,
    )
