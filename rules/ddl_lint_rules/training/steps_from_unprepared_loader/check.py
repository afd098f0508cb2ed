"""Finds numbers of steps that come from the length of the data before each rank got its part of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    FALSE,
    NONE,
    Alternatives,
    Context,
    Event,
    Evidence,
    Finding,
    FunctionRef,
    Object,
    RunView,
    Unknown,
    Value,
    alternatives,
    branches,
    events_consuming,
    excludes,
    is_divided,
    loops,
    match,
    objects,
    parts,
)
from ddl_lint.rulekit.domain import Loader, names_in, quantity
from ddl_lint.rulekit.events import (
    Backward,
    BuildLoader,
    BuildScheduler,
    CloseOver,
    Delegate,
    Measure,
    OptimizerStep,
    Prepare,
    ReadLeftBehind,
    ScaleLength,
    SchedulerStep,
)

_OF_PROCESSES = re.compile(r"world|gpu|device|proc|rank|replica|node|worker|shard", re.IGNORECASE)
_OF_BATCHES = re.compile(r"batch|bs$|bsz", re.IGNORECASE)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place where such a number is computed or used."""
    handed = list(_handed(run)) if not _splits_batches(run) else []
    found: set[object] = set()
    for finding in (*_stale_lengths(run, handed), *_schedules(run, handed), *_loops(run, handed), *_divided(run)):
        if finding.location not in found:
            found.add(finding.location)
            yield finding


def _handed(run: RunView) -> Iterator[tuple[Event, Value]]:
    """What goes to a trainer that gives each rank its part of it."""
    for event in run.events(Prepare):
        if "sampler" in event.provides:
            for value in parts(event.operands.get("object", NONE)):
                if isinstance(value, (Object, Unknown, Alternatives)) and not _is_divided_before(run, value):
                    yield event, value


def _is_divided_before(run: RunView, value: Value) -> bool:
    return any(
        isinstance(option, Object) and (option.kind != "loader" or is_divided(option, run.heap))
        for option in alternatives(value)
    )


def _splits_batches(run: RunView) -> bool:
    """Whether batches may be split among the ranks, which leaves their number as it is."""
    return any(
        made.given.get(name, FALSE) not in (FALSE, NONE)
        for event in run.events(Delegate)
        for made in objects(event.result)
        for name in ("split_batches", "dataloader_config")
    ) or any("split_batches" in event.unseen for event in run.events(Delegate))


def _stale_lengths(run: RunView, handed: list[tuple[Event, Value]]) -> Iterator[Finding]:
    """The old name of what was prepared is asked for its length."""
    reads = run.events(ReadLeftBehind)
    for scaled in run.events(ScaleLength) if reads else ():
        data = scaled.object
        prepared = next((event for event, value in handed if value == data and event.order < scaled.order), None)
        read = next((each for each in reads if each.object == data and scaled.location.covers(each.location)), None)
        if read is None or prepared is None or _is_apart(prepared, scaled) or _mentions(scaled, _OF_BATCHES):
            continue
        if not _mentions(scaled, _OF_PROCESSES):
            yield Finding(
                "this length is from before `prepare`, and too large by the number of processes",
                read.location,
                (Evidence("each process gets its part of the data here", prepared.location),),
                help="Take the length of what `prepare` returns.",
            )


def _is_apart(first: Event, second: Event) -> bool:
    """Whether one of the two may happen without the other."""
    around = list(branches(second.context))
    return excludes(first.context, second.context) or any(
        not node.assumed and node not in around for node in branches(first.context)
    )


def _mentions(scaled: ScaleLength, words: re.Pattern[str]) -> bool:
    return any(map(words.search, names_in(scaled.operands["other"]))) or (
        quantity(scaled.other).scales_with_processes()
    )


def _schedules(run: RunView, handed: list[tuple[Event, Value]]) -> Iterator[Finding]:
    """Schedulers that a trainer does not step for all processes, but that count the steps of one."""
    known = {part for event in run.events(Prepare) for part in parts(event.operands.get("object", NONE))}
    for built in run.events(BuildScheduler):
        made = objects(built.result)
        if len(made) != 1 or made[0] in known or run.heap.is_escaped(made[0]):
            continue
        for prepared, data in handed:
            if not isinstance(data, Object) or not _is_measured_before(run, data, prepared, built):
                continue
            if not any(_counts(value, data) for value in _numbers(run, made[0])):
                continue
            step = _step_over(run, made[0], data)
            if step is not None and not _is_apart(prepared, step):
                yield _of_schedule(built, step, prepared)
                break


def _of_schedule(built: Event, step: Event, divided: Event) -> Finding:
    return Finding(
        "the schedule counts the batches of all processes, but each process steps through its own",
        built.location,
        (
            Evidence("each process gets its part of the data here", divided.location),
            Evidence("one step per batch", step.location),
        ),
        help="Compute the number of steps from the length of the divided loader.",
    )


def _is_measured_before(run: RunView, data: Value, prepared: Event, built: Event) -> bool:
    """Whether what is computed of the length of the data is surely that from before it was divided."""
    if built.order < prepared.order:
        return True
    measured = [event for event in run.events(Measure) if event.object == data]
    return bool(measured) and all(event.order < prepared.order for event in measured)


def _numbers(run: RunView, scheduler: Object) -> Iterator[Value]:
    """What a scheduler was given to count with, or a function of it has at hand."""
    held = (event.operands["value"] for event in run.events(CloseOver) if event.location == scheduler.location)
    for value in (*scheduler.given.values(), *held):
        if not isinstance(value, (Object, FunctionRef)):
            yield value


def _counts(value: Value, data: Value) -> bool:
    """Whether a number is computed of the length of the data, and of nothing about processes."""
    number = quantity(value)
    is_about_processes = number.scales_with_processes() or any(map(_OF_PROCESSES.search, names_in(value)))
    return not is_about_processes and number.measures(data)


def _step_over(run: RunView, scheduler: Object, data: Object) -> SchedulerStep | None:
    """A step of the scheduler, once per batch of the data."""
    return next(
        (
            step
            for step in events_consuming(run, data, SchedulerStep)
            if objects(step.scheduler) == [scheduler] and not _repeats(step)
        ),
        None,
    )


def _repeats(step: Event) -> bool:
    """Whether a step is made once for each process."""
    return any(quantity(loop.value).scales_with_processes() for loop in loops(step.context))


def _loops(run: RunView, handed: list[tuple[Event, Value]]) -> Iterator[Finding]:
    """Loops around the training that go by the length from before."""
    seen: set[Context] = set()
    for step in run.events(OptimizerStep, Backward):
        for loop in loops(step.context):
            if loop in seen or loop.value is None or match.range_of(loop.value) is None:
                continue
            seen.add(loop)
            for prepared, data in handed:
                measured = [event for event in run.events(Measure) if event.object == data]
                before = bool(measured) and all(event.order < prepared.order for event in measured)
                if before and prepared.order < step.order and _counts(loop.value, data):
                    yield Finding(
                        "this loop counts the batches of all processes, but each has only its part",
                        loop.location,
                        (Evidence("each process gets its part of the data here", prepared.location),),
                        help="Compute the number of steps from what `prepare` returns.",
                    )
                    break


def _divided(run: RunView) -> Iterator[Finding]:
    """Schedules of as many steps as the whole data set has batches, where a sampler divides it."""
    for built in run.events(BuildScheduler):
        made = objects(built.result)
        if len(made) != 1 or run.heap.is_escaped(made[0]):
            continue
        for event in run.events(BuildLoader):
            loader = event.result
            size = event.batch_size
            if not isinstance(loader, Object) or size is None or not is_divided(loader, run.heap):
                continue
            data = Loader(loader).dataset
            if not isinstance(data, Object) or isinstance(size, Unknown):
                continue
            counted = any(_counts(value, data) and size in parts(value) for value in _numbers(run, made[0]))
            step = _step_over(run, made[0], loader) if counted else None
            if step is not None:
                yield _of_schedule(built, step, event)
                break
