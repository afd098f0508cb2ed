"""Finds collectives and messages whose tensors differ in type or shape between the ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ddl_lint.rulekit import (
    SIZE,
    Alternatives,
    Claim,
    ConsequenceName,
    Evaluator,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    Process,
    RunView,
    Severity,
    Undecided,
    Value,
    alternatives,
    catches,
    excludes,
    form,
    has_own_length,
    job,
    loops,
    match,
    number_type,
    parts,
    passes,
    rank_guards,
    tags_of,
    with_contexts,
)
from ddl_lint.rulekit.events import Collective, PointToPoint

_SAME_EVERYWHERE = frozenset(
    {"broadcast", "all_reduce", "reduce", "all_gather", "gather", "all_gather_into_tensor", "reduce_scatter_tensor"}
)
"""Operations in which all ranks give or receive tensors of one type and shape."""

_OF_DATA = frozenset({"all_gather", "gather", "all_gather_into_tensor", "all_reduce", "reduce"})


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    seen: set[Location] = set()
    for finding in (*_of_two_processes(run), *_by_the_data(run)):
        if finding.location not in seen:
            seen.add(finding.location)
            yield finding


def _name(event: Event) -> str:
    return str(event.constants.get("operation"))


def _calls(run: RunView) -> Iterator[Collective]:
    for event in run.events(Collective):
        tested = any(context.traits.get("expects_error") for context in with_contexts(event.context))
        if _name(event) in _SAME_EVERYWHERE and not tested and not catches(event.context, "RuntimeError", "Exception"):
            yield event


# --- what two processes give to one operation -------------------------------------------------------------------------


def _of_two_processes(run: RunView) -> Iterator[Finding]:
    """Operations at which two processes meet, in one call or in two, with the tensors that they bring."""
    if not run.has(Collective, PointToPoint):
        return
    first, second = job(1, 2)
    there = (
        (one, first, other, second)
        for one, other in (*_collectives(run, first, second), *_messages(run, first, second))
    )
    back = ((one, second, other, first) for one, other in _messages(run, second, first))
    for one, process, other, peer in (*there, *back):
        mine, theirs = _brought(one, process), _brought(other, peer)
        difference = _difference(mine, theirs) if mine is not None and theirs is not None else None
        if difference is None or mine is None or theirs is None:
            continue
        if one is other:
            message = Claim(
                f"ranks pass different tensors to `{_name(one)}`: {difference.what}", difference.consequence
            )
            evidence = (
                Evidence("one tensor is created here", mine.location),
                Evidence("the other one is created here", theirs.location),
            )
            yield Finding(message, one.location, evidence)
        else:
            earlier, later = sorted((one, other), key=lambda event: event.order)
            message = Claim(
                f"the tensor of `{_name(later)}` does not match that of `{_name(earlier)}` "
                f"({run.place(earlier.location, later.location)}): {difference.what}",
                difference.consequence,
            )
            yield Finding(message, later.location, (Evidence("the other ranks are here", earlier.location),))


def _collectives(run: RunView, first: Process, second: Process) -> Iterator[tuple[Event, Event]]:
    """The calls at which two processes meet: those without a rank check, and those in the two arms of one."""
    calls = list(_calls(run))
    yield from ((event, event) for event in calls if not rank_guards(event.context))
    guarded = [event for event in calls if rank_guards(event.context) and not loops(event.context)]
    mine, theirs = ([event for event in guarded if passes(event, process)] for process in (first, second))
    if len(mine) == len(theirs):
        for one, other in zip(mine, theirs, strict=True):
            if one is not other and _name(one) == _name(other) and excludes(one.context, other.context):
                yield one, other


def _messages(run: RunView, sender: Process, receiver: Process) -> Iterator[tuple[Event, Event]]:
    """The messages from one process to another, each with the call that takes it."""
    calls = [event for event in run.events(PointToPoint) if not loops(event.context)]
    sent = [event for event in calls if _goes(event, "send", sender, receiver)]
    taken = [event for event in calls if _goes(event, "recv", receiver, sender)]
    if len(sent) == len(taken):
        yield from zip(sent, taken, strict=True)


def _goes(event: PointToPoint, name: str, process: Process, peer: Process) -> bool:
    number = event.peer
    return (
        _name(event).removeprefix("i") == name
        and number is not None
        and Evaluator(process).number(number) == peer.rank
        and passes(event, process)
    )


def _brought(event: Event, process: Process) -> Object | None:
    """The tensor that a process gives to a call; None where it is not known."""
    value = event.operands.get("tensor")
    if isinstance(value, Alternatives):
        found: list[Value] = []
        evaluator = Evaluator(process)
        for labels, option in value.options:
            try:
                if all(evaluator.truth(condition) is wanted for condition, wanted in labels):
                    found.append(option)
            except Undecided:
                return None
        value = found[0] if len(found) == 1 else None
    return value if isinstance(value, Object) else None


class _Difference(NamedTuple):
    consequence: ConsequenceName
    what: str


def _difference(first: Object, second: Object) -> _Difference | None:
    types = number_type(first), number_type(second)
    if None not in types and types[0] != types[1]:
        return _Difference("wrong-result", f"one holds {types[0]}, the other {types[1]}")
    forms = form(first), form(second)
    if None not in forms and forms[0] != forms[1]:
        return _Difference("crash", f"one has the shape {list(forms[0] or ())}, the other {list(forms[1] or ())}")
    return None


# --- lengths that follow from the data --------------------------------------------------------------------------------


def _by_the_data(run: RunView) -> Iterator[Finding]:
    for event in _calls(run):
        value = event.tensor
        if _name(event) not in _OF_DATA or value is None or _sizes_are_known(run, event):
            continue
        if all(has_own_length(option) for option in alternatives(value)):
            yield Finding(
                f"the length of the tensor for `{_name(event)}` depends on the data, so it differs between ranks",
                event.location,
                severity=Severity.WARNING,
                help="Gather the lengths first and pad to the longest, or exchange objects instead of tensors.",
                consequence="hang",
            )


def _sizes_are_known(run: RunView, event: Event) -> bool:
    """Whether the ranks may have sent each other their lengths before, in the same function."""
    return any(
        other.order < event.order and other.function is event.function and _may_tell_sizes(other)
        for other in run.events(Collective)
        if other.location != event.location
    )


def _may_tell_sizes(event: Collective) -> bool:
    """Whether a collective may carry numbers that say how long something is."""
    tensor = event.tensor
    if _name(event) in ("barrier", "broadcast", "reduce") or tensor is None:
        return False
    return any(not isinstance(option, Object) or _is_about_form(option) for option in alternatives(tensor))


def _is_about_form(tensor: Object) -> bool:
    held = tensor.given.get("data")
    counted = held is not None and any(match.length_of(part) is not None for part in parts(held))
    return counted or SIZE in tags_of(tensor)
