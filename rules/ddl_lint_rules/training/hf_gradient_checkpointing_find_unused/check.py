"""Finds reentrant recomputation under a wrapper that looks for parameters without a gradient."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Value,
    alternatives,
    contradicts,
    excludes,
    is_constant,
    module_children,
    objects,
    parts_of,
    with_fix,
)
from ddl_lint.rulekit.domain import Parameter
from ddl_lint.rulekit.events import Backward, Delegate, Fit, Recompute, SetTrainable, WrapModel
from ddl_lint_rules.training.hf_gradient_checkpointing_find_unused.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per wrapper, or settings of it."""
    if not run.is_script:
        return
    places = [place for place in _recomputing(run) if not _may_be_frozen(run, place)]
    for event in _searching(run):
        recomputing = next((place for place in places if _happens_beside(place, event)), None)
        if recomputing is None:
            continue
        if event.kind == "wrap_model" and is_constant(recomputing.operands.get("reentrant"), True):
            continue  # `ddp-backward-outside-reducer` reports it at the checkpoint
        evidence = (Evidence("reentrant checkpointing is switched on here", recomputing.location),)
        finding = Finding(
            "DDP marks parameters ready twice, as unused and in the reentrant checkpoint's backward",
            event.location,
            () if recomputing is event else evidence,
        )
        yield with_fix(finding, fix, run, recomputing)


def _happens_beside(recomputing: Event, searching: Event) -> bool:
    """Whether one process may come to both places."""
    return not contradicts(recomputing.context, searching.context) and not excludes(
        recomputing.context, searching.context
    )


def _recomputing(run: RunView) -> Iterator[Delegate | Recompute]:
    """Where a reentrant recomputation is made or asked for."""
    for event in run.events(Recompute, Delegate):
        if any(made.traits.get("recomputes_reentrant") for made in objects(event.result)):
            yield event


def _may_be_frozen(run: RunView, recomputing: Event) -> bool:
    """Whether the part whose forward recomputes may need no gradients, so that nothing goes back through it."""
    frozen = [
        item
        for event in run.events(SetTrainable)
        if not is_constant(event.trainable, True)
        for item in alternatives(event.operands["object"])
    ]
    return any(_may_hold(item, recomputing, module_children(run)) for item in frozen)


def _may_hold(frozen: Value, recomputing: Event, held: Mapping[Object, list[Object]]) -> bool:
    """Whether what is frozen may be the part that recomputes, or may have it inside."""
    owner: Value | None = frozen
    if isinstance(frozen, Object) and frozen.kind == "parameter":
        owner = Parameter(frozen).model
    models = objects(owner, "model")
    function = recomputing.function
    if not models or function is None:
        return True
    parts = [part for model in models for part in parts_of(model, held)]
    names = {part.definition.definition.qualname for part in parts if part.definition is not None}
    return function.qualname.rpartition(".")[0] in names or any(
        part.definition is None and part.api is None for part in parts
    )


def _searching(run: RunView) -> Iterator[Delegate | WrapModel]:
    """Where wrappers are asked to search for parameters without a gradient."""
    for event in run.events(Delegate):
        if any(made.traits.get("finds_unused") for made in objects(event.result)):
            yield event
    if not run.has(Backward, Fit) and not run.exhausted:
        return  # nothing goes back through a wrapper
    for event in run.events(WrapModel):
        searches = is_constant(event.find_unused_parameters, True)
        if searches and not is_constant(event.static_graph, True):
            yield event
