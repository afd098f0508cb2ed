"""Finds collectives that write into their argument, and whose value or whose temporary argument is used instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    DATA,
    NO_TAGS,
    Claim,
    Const,
    Evaluator,
    Event,
    Finding,
    Location,
    Object,
    RunView,
    Severity,
    TagKind,
    Unknown,
    alternatives,
    branches,
    callee,
    given_rank,
    job,
    loops,
    match,
    misread,
    parts,
    passes,
    rank_guards,
    read_afterwards,
    tags_now,
    used_at,
    with_fix,
)
from ddl_lint.rulekit.events import Collective, DropResult, LoseResult
from ddl_lint_rules.hangs_and_performance.collective_result_misread.fix import keep_argument, take_result, wait_later


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    seen: set[Location] = set()
    for event, finding in (*_misread(run), *_lost(run), *_dropped(run)):
        if event.location not in seen:
            seen.add(event.location)
            yield finding


def _misread(run: RunView) -> Iterator[tuple[Collective, Finding]]:
    """Calls that return nothing, of which something is computed."""
    for event, use in misread(run, Collective):
        evidence = used_at(event, use)
        if use.name == Const("wait"):
            message = f"`{_name(event)}` returns None without `async_op=True`, so there is no handle to wait for"
            help = "Pass `async_op=True`, or remove `.wait()`: the call waits itself."
            yield event, with_fix(Finding(message, event.location, evidence, help=help), wait_later, run, event)
        else:
            message = f"`{_name(event)}` returns None, which is used here: the result is in its argument"
            help = f"Call `{_name(event)}` as a statement and read its argument afterwards."
            yield event, with_fix(Finding(message, event.location, evidence, help=help), read_afterwards, run, event)


def _lost(run: RunView) -> Iterator[tuple[Collective, Finding]]:
    """Calls that write into a list or tensor that is gone afterwards."""
    calls = {event.location: event for event in run.events(Collective)}
    for loss in run.events(LoseResult):
        event = calls.get(loss.location)
        if event is None or _gives_only(run, event) or _is_timed(run, event):
            continue
        name = loss.name
        if isinstance(name, Const):
            if _is_of_training(run, event):
                yield event, _unread(event, str(name.value))
            continue
        what = "the received objects" if "object" in _name(event) else "the result"
        finding = Finding(
            f"`{_name(event)}` writes {what} into a temporary object, which is discarded",
            event.location,
            help="Assign the argument to a variable first, and read that afterwards.",
            consequence="wrong-result",
        )
        yield event, with_fix(finding, keep_argument, run, event)


def _unread(event: Event, name: str) -> Finding:
    """What is gathered into a variable that nothing reads."""
    return Finding(
        f"`{_name(event)}` gathers into `{name}`, which nothing reads, so each rank goes on with its own value",
        event.location,
        severity=Severity.WARNING,
        help=f"Compute with `{name}` afterwards, or remove the call.",
        consequence="wrong-result",
        unfixable="what the values are gathered for is not known",
    )


def _is_of_training(run: RunView, event: Collective) -> bool:
    """Whether all ranks gather what they have computed from data or with models: no trial of the network."""
    given = event.tensor
    tags = tags_now(given, run.heap) if given is not None else NO_TAGS
    return (
        "all_gather" in _name(event) and not rank_guards(event.context) and any(tag.kind in _COMPUTED for tag in tags)
    )


def _dropped(run: RunView) -> Iterator[tuple[Collective, Finding]]:
    """Calls whose result is dropped, and that leave their argument as it was, which is read afterwards."""
    calls = {event.location: event for event in run.events(Collective)}
    for drop in run.events(DropResult):
        event, read = calls.get(drop.location), drop.read
        model = run.api.function(event.api) if event is not None else None
        if event is None or model is None or not isinstance(read, Const) or model.mutates:
            continue
        if event.constants.get("operation") not in _OF_ONE_SHAPE or rank_guards(event.context):
            continue
        if _is_timed(run, event):
            continue
        message = Claim(
            f"`{callee(run, event)}` returns its result, which is discarded; `{read.value}` is unchanged",
            "wrong-result",
        )
        help = f"Assign the result: `{read.value} = ...`."
        finding = Finding(message, event.location, severity=Severity.WARNING, help=help)
        yield event, with_fix(finding, take_result, run, event)


_OF_ONE_SHAPE = ("all_reduce", "broadcast", "reduce")
"""What returns the argument's like, so that one may take the argument for it."""

_COMPUTED = frozenset({TagKind.DATA, TagKind.SHARE, TagKind.OUTPUT, TagKind.FORWARD, TagKind.METRIC})


def _is_timed(run: RunView, event: Collective) -> bool:
    """Whether a loop makes the call again and again with the same input: it measures how long it takes, or
    warms up.
    """
    around = loops(event.context)
    operand = event.tensor
    given = operand.given.get("of") if isinstance(operand, Object) else operand
    if not around or not isinstance(given, Object):
        return False
    loop, made = around[0], given.location
    made_in_loop = made.path == loop.location.path and loop.location.start <= made.start < loop.location.end
    counts = loop.value is not None and match.range_to(loop.value) is not None
    return counts and not made_in_loop and DATA not in tags_now(given, run.heap)


def _gives_only(run: RunView, event: Collective) -> bool:
    """Whether only ranks get here that read nothing back: the source of a broadcast, those that send to a root."""
    root = event.operands.get("root", Const(0))
    operation = _name(event)
    if isinstance(root, Const) and operation.startswith("broadcast") and given_rank(run, event) == root.value:
        return True
    if not rank_guards(event.context):
        # A condition of which nothing is known may let only the root come here: the last stage of a pipeline, say.
        conditions = (node.value for node in branches(event.context) if node.value is not None)
        unseen = any(isinstance(part, Unknown) for condition in conditions for part in parts(condition))
        return event.root is not None and unseen
    if not operation.startswith(("broadcast", "reduce", "gather")) or len(alternatives(root)) > 1:
        return True  # whoever it is, the other ranks may keep theirs
    processes = job(1, 2)
    here = [process.rank for process in processes if passes(event, process)]
    number = Evaluator(processes[0]).number(root)
    if number is None or not here:
        return True
    return here == [number] if operation.startswith("broadcast") else number not in here


def _name(event: Event) -> str:
    return str(event.constants.get("operation", event.api.rpartition(".")[2]))
