"""Finds pipelines, data sets made step by step of others, that give every rank the same samples in the same order."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.rulekit import (
    DATA,
    FALSE,
    LOCAL_TAGS,
    NONE,
    RANK_TAGS,
    Evidence,
    Finding,
    FunctionRef,
    Location,
    Object,
    RunView,
    Value,
    averaging,
    contents,
    has_own_group,
    idiom_at,
    in_handler,
    is_constant,
    is_rank_guarded,
    iterates_over,
    loops,
    objects,
    parts,
    result_name,
    shown,
    steps_together,
    tags_of,
)
from ddl_lint.rulekit.domain import PROCESSES, Sampler, count_of
from ddl_lint.rulekit.events import Compile, Fit, Iterate, NextElement, OptimizerStep, Seed

_SOURCE = ("source", "attribute:source")
_TELLING = ("rank_global", "rank_local", "world_size", "shards")


def undivided_pipelines(run: RunView) -> Iterator[Finding]:
    """One finding per pipeline that feeds a training together: where it is shuffled, or else where it begins."""
    if not has_own_group(run):
        return
    seen: set[Location] = set()
    for data, training in _feeding(run):
        steps = _steps(data)
        if not steps or not _is_same_everywhere(run, steps):
            continue
        shuffles = [step for step in steps if is_constant(step.given.get("shuffled"), True)]
        place = (shuffles or steps)[-1]
        if place.location not in seen:
            seen.add(place.location)
            group = run.groups()[0].api
            size = idiom_at("world_size", run, place.location, group, "world_size")
            rank = idiom_at("rank", run, place.location, group, "rank")
            data = shown("the dataset", result_name, run, place.location)
            yield Finding(
                f"every rank trains on the same samples of {data} in the same order",
                place.location,
                (Evidence("its batches are used for training here", training.location),),
                help=f"Add `.shard({size}, {rank})` to the pipeline, before it shuffles and batches.",
                unfixable="cannot tell how many steps an epoch should have then",
            )


def _feeding(run: RunView) -> Iterator[tuple[Object, Fit | OptimizerStep]]:
    """The pipelines that a training of all ranks together goes through."""
    compiled = [each for each in run.events(Compile) if averaging(each.optimizer)]
    trained = {model for each in compiled for model in objects(each.model)}
    for event in run.events(Fit):
        if trained & set(objects(event.model)) and not is_rank_guarded(event):
            for data in _pipelines(event.data):
                yield data, event
    for event in run.events(Iterate, NextElement):
        for data in _pipelines(event.iterable):
            by_hand = not any(iterates_over(loop, data) for each in run.all_events for loop in loops(each.context))
            step = steps_together(run, data, loops(event.context)[:1] if by_hand else ())
            if step is not None and not is_rank_guarded(step) and not in_handler(step):
                yield data, step


def _pipelines(value: Value | None) -> list[Object]:
    if value is None:
        return []
    found = [part for part in parts(value) if isinstance(part, Object)]
    inner = [each for part in found if part.kind == "iterator" for each in objects(part.given.get("iterable"))]
    return [each for each in (*found, *inner) if _is_pipeline(each)]


def _is_pipeline(value: Object) -> bool:
    return value.kind == "iterable_dataset" and value.definition is None and _source(value) is not None


def _source(step: Object) -> Value | None:
    """What a step takes its elements from."""
    return next((step.given[name] for name in _SOURCE if name in step.given), None)


def _steps(data: Object) -> list[Object]:
    """A pipeline and those that it is made of, the last step first; nothing where its beginning cannot be seen."""
    steps = [data]
    while True:
        source = _source(steps[-1])
        if source is None:
            return []
        if not (isinstance(source, Object) and source.kind == "iterable_dataset"):
            return steps if not isinstance(source, FunctionRef) else []
        steps.append(source)


def _is_same_everywhere(run: RunView, steps: list[Object]) -> bool:
    """Whether all ranks surely get the same, in the same order."""
    seeds = [each.operands.get("value", NONE) for each in run.events(Seed)]
    if any(tags_of(seed) & (RANK_TAGS | LOCAL_TAGS) for seed in seeds):
        return False
    fixed = bool(seeds)
    names = run.api.conventions.names
    telling = frozenset(word for key in _TELLING for word in names.get(key, ()))
    for step in steps:
        if run.heap.is_escaped(step) or Sampler(step).divides_data:
            return False
        if _is_random(step) and not fixed:
            return False
        for name, given in step.given.items():
            if name in _SOURCE and step is not steps[-1]:
                continue
            for part in contents(given, run.heap):
                if isinstance(part, FunctionRef) and part.function.mentions & telling:
                    return False
                if tags_of(part) & (RANK_TAGS | LOCAL_TAGS) - {DATA} or (
                    count_of(part) in PROCESSES and name == "source"
                ):
                    return False
    return True


def _is_random(step: Object) -> bool:
    """Whether a step draws its order anew in each process."""
    return not is_constant(step.given.get("shuffled", FALSE), False) and is_constant(step.given.get("order"), None)
