"""Finds prepared schedulers whose length counts the steps of one process, although each call steps for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    FALSE,
    NONE,
    Const,
    Event,
    Evidence,
    Finding,
    FunctionRef,
    Object,
    RunView,
    Setting,
    Value,
    branches,
    loops,
    match,
    objects,
    parts,
)
from ddl_lint.rulekit.domain import integer, quantity
from ddl_lint.rulekit.events import BuildScheduler, Delegate, Measure, Prepare, SchedulerStep

_ENGINE = "a launch line of this script selects an engine, which may step the schedule itself"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per scheduler, where it is made."""
    if _steps_as_told(run) or run.run.path in run.launch.only_by_engine:
        return
    chosen = run.launch.by_engine.has(run.run.path)
    prepared = [event for event in run.events(Prepare) if "sampler" in event.provides]
    for built in run.events(BuildScheduler):
        made = objects(built.result)
        handed = next((event for event in prepared if len(made) == 1 and made[0] in _objects(event)), None)
        if handed is None:
            continue
        steps = [step for step in run.events(SchedulerStep) if objects(step.scheduler) == made]
        for number in _numbers(made[0]):
            reason = _by_prepared(run, number, prepared) or _by_end(run, number, steps)
            if reason is not None:
                yield Finding(
                    "this schedule ends after 1/N of the run: each call steps it once for each of the N processes",
                    built.location,
                    (reason, Evidence("the trainer steps it for all processes from here on", handed.location)),
                    doubt=_ENGINE if chosen else "",
                )
                break


def _steps_as_told(run: RunView) -> bool:
    """Whether a call of a prepared scheduler may be one step."""
    return any(
        run.traits(made).get("steps_as_told")
        or made.given.get("split_batches", FALSE) not in (FALSE, NONE)
        or made.given.get("dataloader_config", NONE) != NONE
        or made.given.get("step_scheduler_with_optimizer", Const(True)) != Const(True)
        for event in run.events(Delegate)
        for made in objects(event.result)
    ) or any({"split_batches", "step_scheduler_with_optimizer"} & set(event.unseen) for event in run.events(Delegate))


def _objects(prepare: Event) -> set[Object]:
    return {part for part in parts(prepare.operands.get("object", NONE)) if isinstance(part, Object)}


def _numbers(scheduler: Object) -> Iterator[Value]:
    """What a scheduler was given to count with, if it has nothing to do with the number of processes."""
    for value in scheduler.given.values():
        if not isinstance(value, (Object, FunctionRef)) and not quantity(value).scales_with_processes():
            yield value


def _by_prepared(run: RunView, number: Value, prepared: list[Prepare]) -> Evidence | None:
    """The measurement of a loader that each process has its part of, from which a number comes."""
    for loader in {length for part in parts(number) if (length := match.length_of(part)) is not None}:
        handed = [event for event in prepared if loader in _objects(event)]
        measured = [event for event in run.events(Measure) if event.object == loader]
        if handed and measured and all(event.order > handed[0].order for event in measured):
            return Evidence("these are the batches of one process", measured[0].location)
    return None


def _by_end(run: RunView, number: Value, steps: list[SchedulerStep]) -> Evidence | None:
    """The end of the loop around the steps of a scheduler, if it is made of the very number."""
    if not isinstance(number, Setting) and (integer(number) or 0) < 2:
        return None
    for step in steps:
        around = loops(step.context)
        for loop in around:
            limit = match.range_to(loop.value) if loop is around[0] else None
            if limit == number or number in (match.compared(loop.value) or ()):
                return Evidence("as many calls end the loop", loop.location)
        for left in run.run.exits:
            if left.leaves in around and left.kind == "break":
                ends = next(branches(left.context), None)
                if ends is not None and number in (match.compared(ends.value) or ()):
                    return Evidence("as many calls end the loop", ends.location)
    return None
