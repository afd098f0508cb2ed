"""Lets all ranks load the state."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, Unfixable, code, file_of, move_out, rank_guards, unwrap
from ddl_lint.rulekit.events import Load, LoadState


def load_everywhere(run: RunView, event: Event) -> Fix:
    """The load out of the rank check, with what it needs; where the check holds nothing but loads, all of them."""
    guards = rank_guards(event.context)
    if len(guards) != 1 or guards[0].location.path != event.location.path or guards[0].implied:
        raise Unfixable("the rank check is elsewhere")
    place = file_of(run, event.location).place(event.location)
    guard = place.outer(code.If)
    if guard is None or not isinstance(guard.statement, code.If):
        raise Unfixable("the rank check is not an `if` directly around it")
    if guard.statement.test.start != guards[0].location.start:
        raise Unfixable("the rank check is not an `if` directly around it")
    loads = [each for each in run.events(Load, LoadState) if each.location.path == event.location.path]
    body = guard.statement.body
    states = [part for part in body if any(_holds(part, load) for load in loads if load.kind == "load_state")]
    only_loads = all(any(_holds(part, load) for load in loads) for part in body)
    if len(states) > 1 and not only_loads:
        raise Unfixable("several states are loaded under the rank check, next to other code")
    return Fix(
        "Load it on all ranks",
        unwrap(guard) if only_loads else move_out(place, guard),
        Applicability.UNSAFE,
        "all ranks then read the file, so it must exist for all of them",
    )


def _holds(statement: code.Statement, load: Event) -> bool:
    return statement.start <= load.location.start and load.location.end <= statement.end
