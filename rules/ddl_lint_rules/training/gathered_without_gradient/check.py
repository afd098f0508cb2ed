"""Finds losses of what was gathered from all ranks, through which no gradient goes back to the model."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    NONE,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Unknown,
    contents,
    forwards_behind,
    in_handler,
    module_children,
    objects,
    objects_in,
    parts_of,
    records_gradients,
    trained_models,
)
from ddl_lint.rulekit.domain import Model
from ddl_lint.rulekit.events import Backward, BuildOptimizer, Collective, Forward, WrapModel


def check(run: RunView) -> Iterable[Finding]:
    """One finding per gathering."""
    trained: set[Object] | None = None
    seen: set[object] = set()
    for gathering in run.events(Collective):
        if gathering.location in seen or not _copies_values(gathering) or in_handler(gathering):
            continue
        if not records_gradients(gathering.context):
            continue
        behind = set(forwards_behind(run, gathering.tensor, gathering))
        if not behind:
            continue
        trained = _trained(run) if trained is None else trained
        for backward in run.events(Backward):
            cut = behind.difference(_reached(run, backward))
            learning = [call for call in cut if _learns(call, trained)]
            if learning and _is_made_of(backward, gathering):
                seen.add(gathering.location)
                yield _finding(gathering, max(learning, key=lambda call: call.order), backward)
                break


def _finding(gathering: Event, output: Event, backward: Event) -> Finding:
    name = gathering.constants.get("operation")
    return Finding(
        f"gradients stop at `{name}`: the loss trains nothing of what is gathered here",
        gathering.location,
        (
            Evidence("this output of the model is gathered", output.location),
            Evidence("no other way leads from this loss back to it", backward.location),
        ),
    )


def _copies_values(gathering: Collective) -> bool:
    """Whether a collective writes into tensors, or returns some, that do not know how the values were computed."""
    writes = gathering.output is not None and str(gathering.constants.get("operation")).startswith("all_gather")
    return writes or "values_only" in gathering.provides


def _trained(run: RunView) -> set[Object]:
    """All modules that an optimizer trains, or that a wrapper makes ready for it."""
    held = module_children(run)
    built = [made for event in run.events(BuildOptimizer) for made in objects(event.result)]
    wrapped = {made for event in run.events(WrapModel) for made in objects(event.model)}
    models = wrapped.union(*(trained_models(made) for made in built))
    return models.union(*(parts_of(model, held) for model in models))


def _learns(call: Forward, trained: set[Object]) -> bool:
    """Whether a call runs a module that is trained, by itself or in its wrapper."""
    called = objects(call.model)
    return any(not trained.isdisjoint({model, *objects(Model(model).inner)}) for model in called)


def _reached(run: RunView, backward: Backward) -> list[Forward]:
    return forwards_behind(run, backward.loss, backward)


def _is_made_of(backward: Backward, gathering: Event) -> bool:
    """Whether a loss is computed of what was gathered: of what the call returned, or of the tensors that it filled."""
    loss = backward.loss
    if loss is None or backward.order < gathering.order:
        return False
    filled = set(objects_in(gathering.operands.get("output", NONE)))
    return any(
        part in filled if isinstance(part, Object) else isinstance(part, Unknown) and part.origin == gathering.location
        for part in contents(loss)
    )
