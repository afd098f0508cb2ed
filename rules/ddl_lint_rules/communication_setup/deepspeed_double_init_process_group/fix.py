"""Creates the default group once."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, Unfixable, code, file_of, happens_without, remove


def fix(run: RunView, before: Event, event: Event) -> Fix:
    """The second call away."""
    if happens_without(run, event, before):
        raise Unfixable("in other runs of the program the second call is the only one")
    file = file_of(run, event.location)
    place = file.place(event.location)
    if not isinstance(place.statement, code.Evaluate) or place.statement.value.start != event.location.start:
        raise Unfixable("the call is part of a larger statement")
    return Fix(
        "Remove the second init_process_group call",
        remove(place),
        Applicability.UNSAFE,
        "The settings of the second call are lost",
    )
