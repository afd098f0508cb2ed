"""Finds strategies for several workers that come too late."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Items,
    RunView,
    asked_for,
    excludes,
    follows,
    is_certain,
    is_made_outside,
    objects,
    strategies,
    with_fix,
)
from ddl_lint.rulekit.events import BuildOptimizer, Compile, Fit, Load
from ddl_lint_rules.communication_setup.tf_mwms_created_late.fix import fix

_FRAMEWORK = "keras"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per strategy; once the first has configured the collectives, another one takes these over."""
    all_made = strategies(run, "configures_collectives")
    for made in all_made:
        if any(first.order < made.order and not excludes(first.context, made.context) for first in all_made):
            continue
        begun = [*run.providers("runtime"), *run.events(BuildOptimizer)]  # an optimizer has variables of its own
        for event in sorted(begun, key=lambda each: each.order):
            if event.kind == "build_optimizer" and run.api.framework(event.api) != _FRAMEWORK:
                continue
            if event is not made and event.location != made.location and follows(event, made):
                message = f"`{made.api.rpartition('.')[2]}` is created after TensorFlow has been initialized"
                finding = Finding(message, made.location, (Evidence("TensorFlow is initialized here", event.location),))
                yield with_fix(finding, fix, run, made, event)
                break
        else:
            yield from _behind_a_model(run, made)


def _behind_a_model(run: RunView, made: Event) -> Iterator[Finding]:
    """A model that is made before has variables, and so has started the runtime."""
    for strategy in objects(made.result, "strategy"):
        for event in run.events(Fit, Compile, Load):
            held = [*objects(event.operands.get("model"), "model"), *objects(event.operands.get("target"), "model")]
            for model in held:
                first = model.given.get("layers")
                is_built = "inputs" in model.given or (isinstance(first, Items) and bool(first.items))
                if model.number > strategy.number or model.definition is not None or not is_built:
                    continue
                if run.api.framework(model.api or "") == _FRAMEWORK and is_made_outside(model) and is_certain(event):
                    message = "Collective ops must be configured at program startup; a model exists already"
                    evidence = (Evidence("it is made here", asked_for(run, model, made)),)
                    yield Finding(message, made.location, evidence, unfixable="what the model needs is for you to say")
                    return
