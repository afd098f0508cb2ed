"""Finds streams whose batches one process pads and joins for all, though each is as long as its longest sample."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    FALSE,
    NONE,
    Bound,
    Evidence,
    Finding,
    FunctionRef,
    Object,
    RunView,
    Value,
    code,
    in_handler,
    objects,
    parts,
    undecided,
    walk,
)
from ddl_lint.rulekit.domain import Loader
from ddl_lint.rulekit.events import BuildLoader, Delegate, Prepare


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader, where it is prepared."""
    built = {made: event for event in run.events(BuildLoader) for made in objects(event.result, "loader")}
    for event in run.events(Prepare):
        if "sampler" not in event.provides or in_handler(event) or any(undecided(event)) or not _dispatches(run):
            continue
        for loader in parts(event.operands.get("object", NONE)):
            build = built.get(loader) if isinstance(loader, Object) else None
            if build is None or not isinstance(loader, Object) or not _is_stream(loader):
                continue
            if _is_ragged(run, loader.given.get("collate_fn")) and not any(map(_pads_fully, run.modules.values())):
                yield Finding(
                    "rank 0 joins the batches of all ranks, and each is as long as its longest sample",
                    event.location,
                    (Evidence("this loader pads each batch by itself", build.location),),
                )


def _dispatches(run: RunView) -> bool:
    """Whether one trainer is there, which puts batches onto devices, and leaves open who reads them."""
    made = [each for event in run.events(Delegate) for each in objects(event.result, "trainer")]
    if len(made) != 1 or "fills_batches" not in made[0].traits or made[0].given.get("device_placement") == FALSE:
        return False
    return not any(
        name in ("split_batches", "dataloader_config", "options") and value not in (NONE, FALSE)
        for name, value in made[0].given.items()
    )


def _is_stream(loader: Object) -> bool:
    data = objects(Loader(loader).dataset)
    return bool(data) and all(each.kind == "iterable_dataset" or each.traits.get("iterable") for each in data)


def _is_ragged(run: RunView, collate: Value | None) -> bool:
    """Whether a function of a loader makes samples as long as the longest of their batch."""
    if isinstance(collate, Bound):
        return _is_ragged(run, collate.function)
    if isinstance(collate, Object):
        own = collate.definition.definition.body if collate.definition is not None else ()
        called = (each for each in own if isinstance(each, code.Function) and each.name == "__call__")
        return bool(collate.traits.get("pads_to_longest")) or any(_pads(run, each) for each in called)
    return isinstance(collate, FunctionRef) and _pads(run, collate.function)


def _pads(run: RunView, function: code.Function) -> bool:
    names = run.api.conventions.names.get("padding_functions", ())
    if any("max" in word.lower() for word in function.mentions):
        return False
    calls = [node for node in walk(function) if isinstance(node, code.Call)]
    return any(_called(call) in names or _has_padding(call, True, "longest") for call in calls)


def _called(call: code.Call) -> str:
    func = call.func
    return func.attr if isinstance(func, code.Attribute) else func.id if isinstance(func, code.Name) else ""


def _pads_fully(module: code.Module) -> bool:
    """Whether a file makes samples of one length anywhere."""
    calls = (node for each in module.body for node in walk(each) if isinstance(node, code.Call))
    return any(_has_padding(call, "max_length") for call in calls)


def _has_padding(call: code.Call, *values: object) -> bool:
    return any(
        each.name == "padding" and isinstance(each.value, code.Literal) and each.value.value in values
        for each in call.keywords
    )
