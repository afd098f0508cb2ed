"""What a killed run has left of its changes: the next command finishes or undoes them, and says so."""

from __future__ import annotations

from ddl_lint.commands.console import complain, say
from ddl_lint.fixes.journal import Outcome, settle_interrupted
from ddl_lint.output.places import shown_name


def settle_changes() -> None:
    """Leave no file between what it held and what it was to hold."""
    for outcome in settle_interrupted():
        say(_told(outcome))
        for reason in outcome.left:
            complain(f"{reason}; it is left as it is")


def _told(outcome: Outcome) -> str:
    names = ", ".join(map(shown_name, outcome.files)) or "its notes are damaged, look at what has changed"
    if outcome.is_done:
        return f"An earlier run was interrupted while it changed files. Its changes are complete now: {names}."
    because = f" ({outcome.reason})" if outcome.reason else ""
    return f"An earlier run was interrupted before it changed files. They are as they were{because}: {names}."
