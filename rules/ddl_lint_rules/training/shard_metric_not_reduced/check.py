"""Finds totals over one rank's share of the data that are divided by the length of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from ddl_lint.rulekit import (
    NONE,
    SHARE,
    UNIFORM,
    Event,
    EventKind,
    Evidence,
    Finding,
    Heap,
    Items,
    Location,
    Object,
    RunView,
    TagKind,
    Unknown,
    Value,
    branches,
    called_back,
    contents,
    in_handler,
    is_constant,
    is_of_own_share,
    is_rank_guarded,
    iterates_over,
    loops,
    objects,
    parts,
    records_gradients,
    scales,
    tags_now,
)
from ddl_lint.rulekit.domain import Sampler, quantity
from ddl_lint.rulekit.events import Average, Backward, BuildLoader, Collective, Communicate, Forward, Iterate, Save


def check(run: RunView) -> Iterable[Finding]:
    """One finding per division, and one per evaluation of which rank 0 reports its own part."""
    divided = dict(_divided_by_whole(run))
    yield from divided.values()
    yield from _reported(run, divided)


def _reported(run: RunView, divided: Iterable[Average]) -> Iterator[Finding]:
    """Where one rank shows what an evaluation of its own share has come to, as if it were that of all the data."""
    evaluations = _evaluations(run) if run.is_script and _trains_together(run) else []
    told = [each.operands["total"] for each in divided] + list(_deciding(run))
    told_of = {loop for loop in evaluations if any(_comes_from(run, value, loop) for value in told)}
    for event in run.events(*_SHOWN) if evaluations else ():
        value = event.operands.get(_SHOWN[event.kind])
        if value is None or (event.kind in _KEPT and any(map(_is_no_result, parts(value)))):
            continue
        if not _is_of_one(event) or in_handler(event) or called_back(event):
            continue
        around = {loop.location for loop in loops(event.context)}  # what is shown in the loop itself is its progress
        if quantity(value).scales_with_processes() or _is_reduced_later(run, event):
            continue
        made = next((loop for loop in evaluations if loop not in around and _comes_from(run, value, loop)), None)
        if made is None or made in told_of or not is_of_own_share(run, value):
            continue
        told_of.add(made)
        kept = event.kind in _KEPT
        what = "writes the results" if kept else "reports the metric"
        yield Finding(
            f"one rank {what} of its own share of the evaluation data as if it were all of it",
            event.location,
            (Evidence("each rank evaluates its own share of the data here", made),),
            help="Gather the results of all ranks before one of them writes the file."
            if kept
            else "Add up sums and counts over the ranks before they are divided and shown.",
        )


_SHOWN: dict[EventKind, str] = {"print": "values", "log": "value", "write_file": "object", "save": "object"}
"""What people, or later programs, are shown: the kind of event, and the role of what is shown."""

_KEPT = ("write_file", "save")
"""Those of them that make files, of results by themselves: what a checkpoint says of its model is no report."""


def _deciding(run: RunView) -> Iterator[Value]:
    """What decides which checkpoint is kept, which another rule judges."""
    for save in run.events(Save):
        yield from (node.value for node in branches(save.context) if node.value is not None)


def _is_of_one(event: Event) -> bool:
    """Whether one rank does something for all."""
    return is_rank_guarded(event) or is_constant(event.operands.get("chief"), True)


def _trains_together(run: RunView) -> bool:
    """Whether the ranks train copies of one model, so that a metric of the model is one for all of them."""
    return run.provides("gradient_sync")


def _evaluations(run: RunView) -> list[Location]:
    """The loops over loaders in which a model is called without gradients."""
    loaders = {loader for event in run.events(Iterate) for loader in objects(event.iterable, "loader")}
    called = {
        loop.location: loop
        for event in run.events(Forward)
        if not records_gradients(event.context)
        for loop in loops(event.context)[:1]
    }
    trained = {loop.location for event in run.events(Backward) for loop in loops(event.context)[:1]}
    return [
        place
        for place, loop in called.items()
        if place not in trained and any(iterates_over(loop, loader) for loader in loaders)
    ]


def _is_no_result(part: Value) -> bool:
    """Whether this is a part of a checkpoint rather than something that was computed of the data."""
    return isinstance(part, Object) and part.kind != "tensor"


def _comes_from(run: RunView, value: Value, loop: Location) -> bool:
    """Whether a value was added up, or put together, in a loop: what its last iteration has left is a sample."""
    return any(_is_added_up(part, loop) or _is_list_of(part, loop) for part in contents(value, run.heap))


def _is_added_up(part: Value, loop: Location) -> bool:
    return isinstance(part, Unknown) and _carried(part.origin) == (loop.path, loop.start)


def _is_list_of(part: Value, loop: Location) -> bool:
    filled = parts(part) if isinstance(part, Items) and part.open else ()
    return any(isinstance(each, Unknown) and _is_in(each.origin, loop) for each in filled)


def _carried(origin: object) -> object:
    """The file and the start of the loop that has changed a variable in each iteration."""
    while isinstance(origin, tuple) and not isinstance(origin, Location) and origin:
        whole = cast("tuple[object, ...]", origin)
        if whole[0] == "loop":
            return whole[1:3]
        origin = whole[0]
    return None


def _is_in(origin: object, loop: Location) -> bool:
    while isinstance(origin, tuple) and not isinstance(origin, Location) and origin:
        origin = cast("tuple[object, ...]", origin)[0]
    return isinstance(origin, Location) and origin.path == loop.path and loop.start < origin.start < loop.end


def _divided_by_whole(run: RunView) -> Iterator[tuple[Average, Finding]]:
    """The divisions of a total over a share by the length of the whole, each with its finding."""
    shares = run.api.names_like("share_patterns").search
    for event in run.events(Average):
        total = event.operands["total"]
        if not _is_share(total, run.heap) or quantity(total).scales_with_processes(run.heap):
            continue
        sampler = _divided(run, event.operands.get("count", NONE))
        if sampler is None or _is_reduced_later(run, event):
            continue
        if event.function is not None and scales(event.function.body, shares):
            continue
        yield (
            event,
            Finding(
                "divides one rank's share by the whole dataset, so the metric is world_size times too small",
                event.location,
                (Evidence("this sampler gives each rank a share of the data", sampler.location),),
            ),
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
    for loader in run.events(BuildLoader):
        if any(made in sets for made in objects(loader.dataset)):
            made = objects(loader.result, "loader")  # a plugin makes the sampler of its loaders itself
            samplers = objects(loader.sampler or next((each.given.get("sampler") for each in made), None))
            if not samplers or not all(Sampler(sampler).divides_data for sampler in samplers):
                return None
            found = samplers[0]
    return found


def _is_reduced_later(run: RunView, average: Event) -> bool:
    """Whether the figure, or something else of the share beside it, may be reduced by a call that follows."""
    return any(
        event.kind == "communicate" or any(_holds_share(value, run.heap) for value in event.operands.values())
        for event in run.events(Collective, Communicate)
        if event.order > average.order or (event.function is average.function and event.function is not None)
    )
