"""Restores before the state is sent to the other ranks, and into the optimizer that keeps it."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Place,
    RunView,
    Span,
    Unfixable,
    around,
    code,
    file_of,
    insert_after,
    meeting,
    move_after,
    name_given,
    names_bound,
    names_read,
    put_off,
    rank_guards,
    receiver,
    remove,
    render_idiom,
    way,
)


def into_wrapped(run: RunView, restore: Event, wrap: Event) -> Fix:
    """`plain.load_state_dict(state)` to `optimizer.load_state_dict(state)`, after the wrapping."""
    title = "Restore into the wrapped optimizer"
    plain, wrapped = receiver(run, restore), name_given(run, wrap)
    if plain == wrapped:
        return Fix(title, put_off(run, restore, wrap), Applicability.SAFE)
    file = file_of(run, restore.location)
    place, target = file.place(restore.location), file_of(run, wrap.location).place(wrap.location)
    call = file.node(restore.location, code.Call)
    statement = place.statement
    if place.block is not target.block or not isinstance(statement, code.Evaluate) or statement.value is not call:
        raise Unfixable("the optimizer is restored in another block than it is wrapped")
    new = f"{wrapped}{file.source(call).removeprefix(plain)}"
    return Fix(title, (*remove(place), *insert_after(target, new)), Applicability.SAFE)


def send_later(run: RunView, restore: Event, copies: Iterable[Event]) -> Fix:
    """The broadcasts after what only some ranks restore."""
    own = way(run, restore)
    moved: dict[int, Place] = {}
    target: Place | None = None
    for copy in copies:
        shared = meeting(way(run, copy), own)
        if shared is None:
            continue
        late = {id(each.statement): each for each in around(shared[1].place)}
        for place in reversed(around(shared[0].place)):
            found = next((each for each in late.values() if each.block is place.block), None)
            if found is not None and place.index < found.index and (target is None or target.block is found.block):
                moved[place.index], target = place, found
                break
    if target is None:
        raise Unfixable("the broadcasts and the restore are not in one function")
    if isinstance(target.statement, (code.For, code.While)):
        raise Unfixable("the restore is in a loop")
    places = [moved[index] for index in sorted(moved)]
    passed = [each for each in target.block[places[0].index : target.index + 1] if not _is_among(each, places)]
    if any(not isinstance(place.statement, code.Evaluate) for place in places):
        raise Unfixable("the broadcast results are used before the restore")
    if names_bound(*passed) & {name for place in places for name in names_read(place.statement) if "." not in name}:
        raise Unfixable("what is broadcast is created again before the restore")
    return Fix("Restore before the broadcast", move_after(places, target), Applicability.SAFE)


def send(run: RunView, api: str, restore: Event, kind: str) -> Fix:
    """A broadcast of what was restored, after the check of the rank."""
    guards = [node.location for node in rank_guards(restore.context) if node.location.path == restore.location.path]
    file = file_of(run, restore.location)
    found = file.around(guards[-1], code.If) if guards else None
    place = file.place(restore.location)
    if found is None or not any(owner is found for owner in place.owners):
        raise Unfixable("the rank is checked in another function")
    name = receiver(run, restore)
    outer = file.place(Span(found.start, found.end))
    idiom, hole = ("broadcast_optimizer", "optimizer") if kind == "optimizer" else ("broadcast_weights", "model")
    said = render_idiom(run, outer, api, idiom, **{hole: name})
    return Fix(
        "Broadcast what is restored",
        (*said.imports, *insert_after(outer, said.text)),
        Applicability.UNSAFE,
        "adds communication: all ranks must reach this line",
    )


def _is_among(statement: code.Statement, places: list[Place]) -> bool:
    return any(statement is place.statement for place in places)
