"""Finds asynchronous communication that no code waits for, and buffers that are read before it is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from ddl_lint.rulekit import (
    UNIFORM,
    Event,
    Evidence,
    Finding,
    Items,
    Location,
    Object,
    RunView,
    Shared,
    Symbol,
    Unknown,
    Value,
    called_back,
    excludes,
    in_handler,
    is_constant,
    objects_in,
    unfinished_part,
    with_contexts,
    with_fix,
)
from ddl_lint.rulekit.events import (
    Collective,
    Communicate,
    KeepHandle,
    PointToPoint,
    ReadHandle,
    SynchronizeDevice,
    Unfollowed,
    UseResult,
    Wait,
)
from ddl_lint_rules.hangs_and_performance.async_work_not_waited.fix import wait_at_once, wait_before


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that no code waits for, and one per place that reads too early."""
    seen: set[Location] = set()
    if run.exhausted or not _work(run):
        return
    waited = _waited(run)
    for place, finding in (*_forgotten(run, waited), *_early(run, waited)):
        if place not in seen:
            seen.add(place)
            yield finding


def _work(run: RunView) -> dict[Location, Collective | PointToPoint]:
    """The calls that surely go on in the background, by their place."""
    return {
        event.location: event
        for event in run.events(Collective, PointToPoint)
        if is_constant(event.asynchronous, True) and not _is_test(event)
    }


def _is_test(event: Event) -> bool:
    """Whether the call may well be meant to fail: a test asks for the error, or it is caught in the same function."""
    for node in event.context.chain():
        if node.kind == "try":
            return True
        if node.kind == "call":
            break
    return any(context.traits.get("expects_error") for context in with_contexts(event.context))


def publish(run: RunView) -> Set[Location]:
    """The places of the calls that the run waits for."""
    return _waited(run)


def join(finding: Finding, shared: Shared[Location]) -> Finding | None:
    """A call that one run seems to forget is waited for elsewhere."""
    return None if finding.about in shared.program else finding


def _waited(run: RunView) -> Set[Location]:
    """The places of calls whose handle is looked at somewhere, to wait or to be handed on."""
    looks = run.events(ReadHandle, Wait)
    handles = (look.handle for look in looks if look.handle is not None)
    return {held.location for handle in handles for held in objects_in(handle)}


def _forgotten(run: RunView, waited: Set[Location]) -> Iterator[tuple[Location, Finding]]:
    work = _work(run)
    for keep in run.events(KeepHandle):
        handle = keep.handle
        event = work.get(handle.location) if isinstance(handle, Object) else None
        if event is None or event.location in waited or called_back(event):
            continue
        use = next(iter(_reads(run, event)), None)
        if _is_synchronized(run, event, use) or _has_no_reader(event):
            continue
        how = "kept but never used" if keep.name is not None else "dropped"
        read = None if use is None else use.location
        place = event.location if keep.location.covers(event.location) else keep.location
        evidence = [] if place == event.location else [Evidence("the communication starts here", event.location)]
        evidence += [] if read is None else [Evidence("its buffer is read here", read)]
        finding = Finding(
            f"no code waits for `{_name(event)}`: its handle is {how}, and its buffer may be incomplete",
            place,
            tuple(evidence),
            about=event.location,
            help=f"Keep the handle of `{_name(event)}` and call `wait()` before its buffer is used.",
        )
        yield place, with_fix(finding, wait_at_once, run, event, keep, read)


def _early(run: RunView, waited: Set[Location]) -> Iterator[tuple[Location, Finding]]:
    """Reads of a buffer between the call and the first look at its handle, in straight-line code."""
    for event in _work(run).values():
        if event.location not in waited or event.result is None or called_back(event):
            continue
        handles = objects_in(event.result)
        looks = [
            look.order
            for look in run.events(ReadHandle, Wait, SynchronizeDevice)
            if look.order > event.order
            and (look.kind == "synchronize_device" or _concerns(look.operands.get("handle"), handles))
        ]
        kept = any(_concerns(keep.handle, handles) for keep in run.events(KeepHandle))
        if not looks or not kept:
            continue
        for use in _reads(run, event):
            if use.order < min(looks):
                finding = Finding(
                    f"the buffer of `{_name(event)}` is read before `wait()`; it may still hold old data",
                    use.location,
                    (Evidence("the communication starts here", event.location),),
                )
                yield use.location, with_fix(finding, wait_before, run, event, use)
                break


def _concerns(handle: Value | None, handles: list[Object]) -> bool:
    return handle is not None and any(held in handles for held in objects_in(handle))


def _reads(run: RunView, event: Event) -> Iterator[UseResult]:
    """Where something is computed of what the call writes into, right after it."""
    written: set[Value] = {Unknown(event.location, frozenset({UNIFORM}))}
    for role in ("output", "tensor"):
        value = event.operands.get(role)
        if value is not None and (role == "output" or "output" not in event.operands):
            written.update(objects_in(value, deep=False))
            written.add(value)
    for use in run.events(UseResult):
        if use.order <= event.order or excludes(event.context, use.context) or in_handler(use):
            continue
        if use.function is event.function and unfinished_part(written, use.operands["value"]) is not None:
            yield use


def _is_synchronized(run: RunView, event: Event, use: Event | None) -> bool:
    """Whether the program waits for the whole device before the buffer is used, or for all of the group, which
    comes after what is under way there, or calls what may do so by its name (`sync_all`), wherever that is.
    """
    later = [other for other in run.events(Communicate, Unfollowed) if other.order > event.order]
    return bool(later) or any(
        other.order > event.order
        and (use is None or other.order < use.order)
        and (other.kind == "synchronize_device" or is_constant(other.operands.get("operation"), "barrier"))
        for other in run.events(SynchronizeDevice, Collective)
    )


def _has_no_reader(event: Collective | PointToPoint) -> bool:
    """Whether a call receives, and nothing can read any of its buffers: each is made where it is handed over."""
    tensor = event.tensor
    if is_constant(event.operation, "irecv"):
        return _is_made_inside(tensor, event.location)
    members = tensor.items if isinstance(tensor, Items) and not tensor.open else ()
    return any(_receives(member) for member in members) and all(
        isinstance(member, Object) and _is_made_inside(member.given.get("tensor"), member.location)
        for member in members
    )


def _receives(member: Value) -> bool:
    operation = member.given.get("op") if isinstance(member, Object) else None
    return isinstance(operation, Symbol) and operation.name.endswith(".irecv")


def _is_made_inside(tensor: Value | None, place: Location) -> bool:
    """Whether a tensor is made in the arguments of a call, so that no name refers to it."""
    return (
        isinstance(tensor, Object)
        and tensor.location.path == place.path
        and place.start < tensor.location.start
        and tensor.location.end < place.end
    )


def _name(event: Event) -> str:
    return str(event.constants.get("operation", event.api.rpartition(".")[2]))
