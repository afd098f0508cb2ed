"""Finds numbers of steps that are those of a run of one process, although several average their gradients."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    RANDOM,
    RANK_TAGS,
    SHARE,
    Apply,
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Heap,
    Location,
    RunView,
    Unknown,
    Value,
    always,
    contents,
    idiom_at,
    iterates_over,
    loops,
    match,
    objects,
    parts,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.domain import PROCESSES, RANKS, Trained, integer, quantity
from ddl_lint.rulekit.events import Backward, Fit, LimitSteps, OptimizerStep, Prepare, Shard
from ddl_lint_rules.training.hvd_steps_not_divided.fix import fix

_OWN = RANK_TAGS | {SHARE}


def check(run: RunView) -> Iterable[Finding]:
    """One finding per training, where the number is given."""
    if not run.is_script:
        return
    wrapper = next((event for event in run.events(Prepare) if _averages(event)), None)
    if wrapper is None or any(_is_told_apart(value, run.heap) for value in _divisions(run)):
        return
    for event in run.events(Fit, LimitSteps):
        if (event.data is not None and not _is_whole(run, event)) or not _is_training(run, event):
            continue
        role = next(
            (role for role in ("steps", "validation_steps") if _is_undivided(event.operands.get(role), run.heap)),
            "",
        )
        if role:
            evidence = Evidence("gradients are averaged over all processes here", wrapper.location)
            message = "every process makes all of these steps over all of the data"
            size = idiom_at("hvd.size()", run, event.location, wrapper.api, "world_size")
            advice = f"Divide the number of steps by `{size}`, or give each process a shard of the data."
            yield with_fix(Finding(message, _place(event, role), (evidence,), help=advice), fix, run, event, role)


def _averages(event: Event) -> bool:
    made = objects(event.result)
    return bool(made) and all(Trained(each).averages_gradients for each in made)


def _divisions(run: RunView) -> Iterable[Value]:
    """By what data is divided; a division of numbers is none."""
    return (
        event.operands[role]
        for event in run.events(Shard)
        if not isinstance(event.result, Const) and match.floor_div(event.result) is None
        for role in ("count", "index")
        if role in event.operands
    )


def _is_training(run: RunView, event: Fit | LimitSteps) -> bool:
    """Whether steps of a training are limited: data of which so much is taken must drive a loop that trains."""
    taken = objects(event.result, "iterable_dataset")
    if not taken:
        return True
    return event.steps != Const(1) and any(
        iterates_over(loop, made) and not _is_divided_around(loop, run.heap)
        for step in run.events(OptimizerStep, Backward)
        for loop in loops(step.context)
        for made in taken
    )


def _is_divided_around(loop: Context, heap: Heap) -> bool:
    """Whether a loop around has the number of processes in its number of iterations."""
    values = (node.value for node in loops(loop)[1:] if node.value is not None)
    return any(_is_told_apart(part, heap) for value in values for part in parts(value))


def _is_told_apart(value: Value, heap: Heap) -> bool:
    """Whether a value depends on which process of how many this is."""
    return quantity(value).has(*PROCESSES, *RANKS, heap=heap) or bool(tags_of(value) & _OWN)


def _is_whole(run: RunView, fit: Fit | LimitSteps) -> bool:
    """Whether what is trained on is surely known, and the same real data in each process, and the epochs are all."""
    data = fit.data
    inside = [] if data is None else list(contents(data, run.heap))
    if not objects(data) or any(_is_told_apart(part, run.heap) or RANDOM in tags_of(part) for part in inside):
        return False
    epochs = (value for made in objects(fit.result) for value in _epochs(made.given.get("epochs")))
    return not any(_is_told_apart(value, run.heap) for value in epochs)


def _epochs(value: Value | None) -> Iterable[Value]:
    return () if value is None else parts(value)


def _is_undivided(steps: Value | None, heap: Heap) -> bool:
    """Whether a number is computed, from all but the number of processes; one that is wholly unknown is not."""
    return always(
        steps,
        lambda option: (
            (integer(option) or 0) > 1
            or (
                isinstance(option, Apply)
                and not any(isinstance(part, Unknown) and not part.origin for part in parts(option))
                and not _is_told_apart(option, heap)
            )
        ),
    )


def _place(event: Event, role: str) -> Location:
    """Where the number is written, if that is in the call."""
    for part in parts(event.operands[role]):
        place = part.location if isinstance(part, (Const, Apply)) else None
        if place is not None and event.location.covers(place):
            return place
    return event.location
