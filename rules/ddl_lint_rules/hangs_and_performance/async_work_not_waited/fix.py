"""Waits for the work: before its buffer is read, else right where it is begun."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Location,
    Object,
    Place,
    RunView,
    Span,
    Unfixable,
    code,
    file_of,
    insert_after,
    insert_before,
    method_for,
)
from ddl_lint.rulekit.events import KeepHandle

_TITLE = "Call wait() on the handle"


def wait_at_once(run: RunView, event: Event, keep: Event, read: Location | None) -> Fix:
    """`dist.isend(t, 1)` to `dist.isend(t, 1).wait()`; a handle in a variable is waited for in a statement after it,
    or right before the buffer is read."""
    wait = _wait(run, keep)
    file = file_of(run, keep.location)
    place = file.place(keep.location)
    statement = place.statement
    if isinstance(statement, code.Evaluate) and isinstance(statement.value, code.Call):
        if statement.value.start != keep.location.start or statement.value.end != keep.location.end:
            raise Unfixable("the handle is put into a list")
        if _is_list(event):
            raise Unfixable("the call returns a list of handles")
        return Fix(_TITLE, (file.edit(place.end, place.end, f".{wait}()"),), Applicability.SAFE)
    name = _variable(place)
    later = place if read is None else _around(place, read)
    if later is place:
        return Fix(_TITLE, insert_after(place, f"{name}.{wait}()"), Applicability.SAFE)
    return Fix(_TITLE, insert_before(later, f"{name}.{wait}()"), Applicability.SAFE)


def wait_before(run: RunView, event: Event, use: Event) -> Fix:
    """The wait in a statement right before the one that reads the buffer."""
    keep = next(each for each in run.events(KeepHandle) if each.location == event.location)
    file = file_of(run, keep.location)
    place = file.place(keep.location)
    name = _variable(place)
    later = _around(place, use.location)
    return Fix(_TITLE, insert_before(later, f"{name}.{_wait(run, keep)}()"), Applicability.SAFE)


def _variable(place: Place) -> str:
    statement = place.statement
    if isinstance(statement, code.Assign) and len(statement.targets) == 1 and isinstance(statement.value, code.Call):
        target = statement.targets[0]
        if isinstance(target, code.Name) and target.id != "_":
            return target.id
    raise Unfixable("the handle is not simply assigned to a variable")


def _around(place: Place, location: Location) -> Place:
    """The statement of the block of a place in which something is read."""
    for statement in place.block[place.index + 1 :]:
        if statement.start <= location.start and location.end <= statement.end:
            return place.file.place(Span(statement.start, statement.end))
    raise Unfixable("the buffer is read in another block")


def _is_list(event: Event) -> bool:
    return not isinstance(event.result, Object)


def _wait(run: RunView, keep: Event) -> str:
    handle = keep.operands["handle"]
    name = method_for(run, handle.api, "wait") if isinstance(handle, Object) and handle.api is not None else None
    if name is None:
        raise Unfixable("cannot tell how to wait for it")
    return name
