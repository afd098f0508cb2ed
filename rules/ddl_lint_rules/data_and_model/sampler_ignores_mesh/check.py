"""Finds samplers that divide the data among all ranks, although some ranks compute one batch together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Items,
    Object,
    RunView,
    Value,
    by_default,
    contents,
    excludes,
    in_handler,
    is_absent,
    number_under_launch,
    objects,
    undecided,
)
from ddl_lint.rulekit.domain import PROCESSES, Count, Model, Sampler, quantity
from ddl_lint.rulekit.events import BuildSampler, LoadPretrained, Shard, WrapModel


def check(run: RunView) -> Iterable[Finding]:
    """One finding per sampler."""
    parallel = list(_parallel(run))
    if parallel and _has_other_model(run, parallel):
        return
    for sampler in run.events(BuildSampler, Shard) if parallel else ():
        if not _divides_among_all(sampler) or in_handler(sampler):
            continue
        wrap = next((each for each in parallel if not excludes(each.context, sampler.context)), None)
        if wrap is not None:
            yield Finding(
                "ranks that compute one batch together read different samples: this divides the data among all ranks",
                sampler.location,
                (Evidence("the layers are divided among the ranks of a group here", wrap.location),),
            )


def _divides_among_all(event: Event) -> bool:
    """Whether a call surely divides data among all ranks of the job."""
    if event.kind == "shard":
        return _is(event, "index", Count.RANK) and _is(event, "count", Count.WORLD)
    made = objects(event.result)
    return any(Sampler(each).is_seeded_by_epoch for each in made) and all(
        is_absent(event, role) or _is(event, role, count)
        for role, count in (("replicas", Count.WORLD), ("rank", Count.RANK))
    )


def _is(event: Event, role: str, count: Count) -> bool:
    return quantity(event.operands.get(role)).is_surely(count)


def _has_other_model(run: RunView, parallel: Iterable[Event]) -> bool:
    """Whether a second model is wrapped, which may be the one that gets the samples."""
    divided = {whole for wrap in parallel for whole in _wholes(wrap)}
    others = (frozenset(_wholes(wrap)) for wrap in run.events(WrapModel))
    return any(models and divided.isdisjoint(models) for models in others)


def _wholes(wrap: Event) -> Iterator[Object]:
    """The models that are wrapped, or of which parts are."""
    for model in objects(wrap.operands.get("model")):
        held = model
        while (whole := objects(Model(held).whole)) and whole[0] is not held:
            held = whole[0]
        yield held


def _parallel(run: RunView) -> Iterator[Event]:
    """Where layers are divided among ranks that must all have the same batch."""
    for wrap in run.events(WrapModel):
        plan, mesh = wrap.plan, objects(wrap.mesh)
        is_sure = plan is not None and len(mesh) == 1 and not any(undecided(wrap))
        if is_sure and plan is not None and not _takes_shards(plan) and _has_several(run, mesh[0]):
            yield wrap
    for load in run.events(LoadPretrained):
        for made in objects(load.result):
            mesh = objects(made.given.get("device_mesh"))
            whole = "device_mesh" not in made.given and "device_mesh" not in load.unseen
            is_sure = made.traits.get("tensor_parallel") and not any(undecided(load))
            if is_sure and (whole or (len(mesh) == 1 and _has_several(run, mesh[0]))):
                yield load


def _takes_shards(plan: Value) -> bool:
    """Whether a layer may expect that each rank brings another part of the batch."""
    styles = [part for part in contents(plan) if isinstance(part, Object) and "input_layouts" in part.given]
    return any(part == Const(0) for style in styles for part in contents(style.given["input_layouts"]))


def _has_several(run: RunView, mesh: Object) -> bool:
    """Whether a mesh of one dimension surely has several ranks."""
    whole = next(iter(objects(mesh.given.get("of"))), mesh)
    shape, names = whole.given.get("mesh_shape"), whole.given.get("mesh_dim_names")
    if not isinstance(shape, Items) or shape.open:
        return False
    index = 0
    if whole is not mesh:
        asked = mesh.given.get("mesh_dim_names")
        if not isinstance(names, Items) or asked not in names.items or len(names.items) != len(shape.items):
            return False
        index = names.items.index(asked)
    elif len(shape.items) != 1:
        return False
    size = shape.items[index]
    number = number_under_launch(run, by_default(run, size))
    return quantity(size).is_surely(*PROCESSES) or (number is not None and number > 1)
