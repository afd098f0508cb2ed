"""Finds backward passes, clipping and steps that go past the optimizer that a Booster has made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Value,
    always,
    contradicts,
    forwards_behind,
    is_constant,
    objects,
    objects_in,
    objects_under,
    with_fix,
)
from ddl_lint.rulekit.domain import Model, Parameter, Trained
from ddl_lint.rulekit.events import Backward, BuildOptimizer, ClipGradients, OptimizerStep, Prepare
from ddl_lint_rules.training.colossalai_bypass_optimizer_wrapper.fix import fix_backward, fix_clip, fix_step

_FRAMEWORK = "colossalai"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    if not run.is_script:
        return
    boosts = [event for event in run.events(Prepare) if run.api.framework(event.api) == _FRAMEWORK]
    for boost in boosts:
        evidence = (Evidence("the model and the optimizer are boosted here", boost.location),)
        wrappers = [made for made in objects_in(boost.result or NONE) if _is_demanding(made)]
        for backward in _backwards(run, boost, wrappers):
            message = "the Booster's optimizer has no part in this backward pass; the weights do not move"
            yield with_fix(Finding(message, backward.location, evidence), fix_backward, run, backward, wrappers)
        for clip in _clips(run, boost, wrappers):
            message = "the gradients are not in the parameters here; the norm is 0 and nothing is clipped"
            yield with_fix(Finding(message, clip.location, evidence), fix_clip, run, clip, wrappers)
        for step in _steps(run, boost, wrappers):
            message = "this is the optimizer from before `boost`, which has no gradients; nothing moves"
            yield with_fix(Finding(message, step.location, evidence), fix_step, run, step, boost)


def _is_demanding(made: Object) -> bool:
    """Whether a wrapper is of a Booster whose optimizer must run the backward pass itself, whichever plugin it has."""
    boosters = Trained(made).trainers
    return len(boosters) == 1 and _keeps_gradients(boosters[0])


def _keeps_gradients(booster: Object) -> bool:
    if not is_constant(booster.given.get("mixed_precision", NONE), None):
        return True  # the loss is scaled
    return always(booster.given.get("plugin"), lambda plugin: isinstance(plugin, Object) and _divides(plugin))


def _divides(plugin: Object) -> bool:
    """Whether a plugin keeps gradients, or copies of the parameters, of its own."""
    if plugin.traits.get("shards_stages"):
        stage, precision = plugin.given.get("zero_stage", NONE), plugin.given.get("precision", NONE)
        return is_constant(stage, 1, 2) or is_constant(precision, None, "fp16", "bf16")
    return bool(plugin.traits.get("shards_optimizer")) and not plugin.traits.get("flat_shards")


def _backwards(run: RunView, boost: Event, wrappers: list[Object]) -> Iterator[Backward]:
    for event in run.events(Backward):
        owner = run.api.class_(event.api.rpartition(".")[0])
        if owner is None or owner.kind != "tensor" or contradicts(boost.context, event.context):
            continue
        calls = [
            each for each in forwards_behind(run, event.loss, event) if not contradicts(each.context, event.context)
        ]
        others = [each for each in calls if not _is_of(wrappers, each.model)]
        models = [made for each in others for made in objects(each.model, "model")]
        if len(calls) > len(others) and not any(_is_trained(run, made) for made in models):
            yield event


def _is_trained(run: RunView, model: Object) -> bool:
    """Whether an optimizer has parameters of the model."""
    return any(
        model in objects(Parameter(part).model)
        for event in run.events(BuildOptimizer)
        for part in objects_in(event.operands.get("parameters", NONE))
    )


def _is_of(wrappers: list[Object], value: Value | None) -> bool:
    return always(value, lambda each: isinstance(each, Object) and each in wrappers)


def _clips(run: RunView, boost: Event, wrappers: list[Object]) -> Iterator[ClipGradients]:
    inside = [Model(made).inner for made in wrappers if made.kind == "model"]
    for clip in run.events(ClipGradients):
        if clip.order < boost.order or contradicts(boost.context, clip.context):
            continue
        parameters = objects_under(clip.parameters, clip.context)
        owners = [owner for part in parameters if part.kind == "parameter" for owner in objects(Parameter(part).model)]
        if owners and all(owner in wrappers or owner in inside for owner in owners):
            yield clip


def _steps(run: RunView, boost: Event, wrappers: list[Object]) -> Iterator[OptimizerStep]:
    plain = [held for made in wrappers for held in objects(made.given.get("optim"), "optimizer")]
    for step in run.events(OptimizerStep):
        if step.order > boost.order and not contradicts(boost.context, step.context):
            stepped = objects_under(step.optimizer, step.context)
            if stepped and all(each in plain for each in stepped):
                yield step
