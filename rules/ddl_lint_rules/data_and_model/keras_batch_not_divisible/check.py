"""Finds batches that do not divide among the devices of a strategy that wants them to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Items,
    Location,
    Object,
    RunView,
    Value,
    batched_in,
    number_under_launch,
    objects,
)
from ddl_lint.rulekit.domain import Loader, integer, most_elements
from ddl_lint.rulekit.events import Fit, Forward, OpenScope, WrapModel


def check(run: RunView) -> Iterable[Finding]:
    """One finding per training."""
    for event in run.events(OpenScope):
        for strategy in objects(event.strategy, "strategy"):
            count = _devices(strategy) if strategy.traits.get("even_batches") else None
            yield from _uneven(run, event.order, count, strategy.location, None)
    for wrap in run.events(WrapModel):
        for made in objects(wrap.result, "model") if wrap.traits.get("unsavable") else ():
            yield from _single(run, wrap, made)
            yield from _uneven(run, wrap.order, number_under_launch(run, made.given.get("gpus")), made.location, made)


def _uneven(run: RunView, since: int, count: int | None, place: Location, model: Value | None) -> Iterator[Finding]:
    """Trainings that begin later, of a certain model if one is given."""
    for fit in run.events(Fit) if count is not None and count > 1 else ():
        if fit.order < since or (model is not None and fit.model != model):
            continue
        results, data = objects(fit.result), objects(fit.data, "iterable_dataset")
        given = next((each.given["batch_size"] for each in results if "batch_size" in each.given), None)
        found = [(number_under_launch(run, given), fit.location)]
        for each in data:
            batched = batched_in(each)
            if batched is not None:
                found.append((number_under_launch(run, Loader(batched).batch_size), batched.location))
        for size, location in found:
            if size is not None and size > 0 and count is not None and size % count:
                message = f"a batch of {size} cannot be divided evenly among {count} devices"
                evidence = Evidence(f"{count} devices are used here", place)
                advice = f"Use a multiple of {count}, such as {max(size // count, 1) * count}."
                yield Finding(message, location, (evidence,), help=advice)


def _single(run: RunView, wrap: Event, made: Object) -> Iterator[Finding]:
    """Examples that are evaluated one by one, on several devices."""
    count = number_under_launch(run, made.given.get("gpus"))
    for event in run.events(Forward) if count is not None and count > 1 else ():
        size = number_under_launch(run, event.batch_size)
        is_own = made in objects(event.model, "model")
        if is_own and size is not None and count is not None and size % count:
            message = f"a batch of {size} does not divide evenly among {count} devices"
            yield Finding(message, event.location, (Evidence(f"{count} devices are used here", wrap.location),))


def _devices(strategy: Object) -> int | None:
    """Among how many devices a strategy divides each batch."""
    meshes = objects(strategy.given.get("device_mesh"), "mesh")
    for layout in objects(strategy.given.get("layout_map")):
        meshes = objects(layout.given.get("device_mesh"), "mesh")
    if not meshes:
        return most_elements(strategy.given.get("devices"))
    names, sizes = meshes[0].given.get("axis_names"), meshes[0].given.get("shape")
    batch = strategy.given.get("batch_dim_name", Const(None))
    if not isinstance(names, Items) or not isinstance(sizes, Items) or len(names.items) != len(sizes.items):
        return None
    along = names.items[0] if batch == Const(None) else batch
    size = next((size for name, size in zip(names.items, sizes.items, strict=True) if name == along), None)
    return integer(size)
