"""Finds totals over one rank's share of the data that are divided by the length of the whole."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    SHARE,
    UNIFORM,
    Event,
    Evidence,
    Finding,
    Heap,
    Object,
    RunView,
    TagKind,
    Value,
    WorldSize,
    contents,
    objects,
    scales,
    tags_now,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per division."""
    shares = run.api.names_like("share_patterns").search
    for event in run.events("average"):
        total = event.operands["total"]
        if not _is_share(total, run.heap) or any(isinstance(part, WorldSize) for part in contents(total, run.heap)):
            continue
        sampler = _divided(run, event.operands["count"])
        if sampler is None or _is_reduced_later(run, event):
            continue
        if event.function is not None and scales(event.function.body, shares):
            continue
        yield Finding(
            "divides one rank's share by the whole dataset, so the metric is world_size times too small",
            event.location,
            (Evidence("this sampler gives each rank a share of the data", sampler.location),),
        )


def _is_share(total: Value, heap: Heap) -> bool:
    """Whether a value was summed up over this rank's share alone, and has not been reduced."""
    tags = tags_now(total, heap)
    reduced = UNIFORM in tags or any(tag.kind is TagKind.PARTIAL for tag in tags)
    return not reduced and _holds_share(total, heap)


def _holds_share(value: Value, heap: Heap) -> bool:
    return any(SHARE in tags_now(part, heap) for part in contents(value, heap))


def _divided(run: RunView, data: Value) -> Object | None:
    """The sampler that divides the data among the ranks for a loader; None where some loader gets all of it."""
    sets = objects(data)
    found: Object | None = None
    for loader in run.events("build_loader"):
        if any(made in sets for made in objects(loader.operands.get("dataset"))):
            made = objects(loader.result, "loader")  # a plugin makes the sampler of its loaders itself
            samplers = objects(
                loader.operands.get("sampler") or next((each.given.get("sampler") for each in made), None)
            )
            if not samplers or not all(sampler.traits.get("shards_data") for sampler in samplers):
                return None
            found = samplers[0]
    return found


def _is_reduced_later(run: RunView, average: Event) -> bool:
    """Whether the figure, or something else of the share beside it, may be reduced by a call that follows."""
    return any(
        event.kind == "communicate" or any(_holds_share(value, run.heap) for value in event.operands.values())
        for event in run.events("collective", "communicate")
        if event.order > average.order or (event.function is average.function and event.function is not None)
    )
