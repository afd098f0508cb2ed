"""Lets all ranks wait for each other between the write and the read."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Place,
    RunView,
    Unfixable,
    code,
    file_of,
    insert_after,
    render_idiom,
)
from ddl_lint.rulekit.events import InitProcessGroup


def wait_between(run: RunView, first: Event, second: Event) -> Fix:
    """A barrier after the statement that holds the first event, in the block that holds both."""
    groups = [group for group in run.events(InitProcessGroup) if group.order < first.order]
    if not groups:
        raise Unfixable("cannot tell whether there is a process group here")
    if first.location.path != second.location.path or first.function is not second.function:
        raise Unfixable("the file is written and read in different functions")
    file = file_of(run, first.location)
    later = [place.statement for place in _outwards(file.place(second.location))]
    for place in _outwards(file.place(first.location)):
        if isinstance(place.statement, (code.For, code.While)) and not _holds_both(place, second):
            continue
        if any(statement in place.block[place.index + 1 :] for statement in later):
            said = render_idiom(run, place, groups[-1].api, "wait_for_all")
            edits = (*insert_after(place, said.text), *said.imports)
            return Fix("Add a barrier between the two", edits, Applicability.SAFE)
    raise Unfixable("the two places have no common block")


def _holds_both(place: Place, second: Event) -> bool:
    return place.statement.start <= second.location.start < place.statement.end


def _outwards(place: Place) -> Iterator[Place]:
    """A statement and those around it, within the function."""
    current: Place | None = place
    while current is not None:
        yield current
        current = current.outer(code.If, code.For, code.While, code.With, code.Try)
