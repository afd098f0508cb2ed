"""Finds models and optimizers that a strategy trains without having made them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Const,
    Event,
    Evidence,
    Finding,
    Items,
    Location,
    Object,
    RunView,
    Severity,
    asked_for,
    is_keras_2,
    is_keras_3,
    is_made_outside,
    is_set_for_all,
    made_in,
    may_be_in_scope,
    objects,
    objects_in,
    reached_from,
    replica_call,
    scopes,
    strategies,
    with_fix,
)
from ddl_lint.rulekit.domain import Strategy
from ddl_lint.rulekit.events import BuildOptimizer, Compile, Fit, Forward, OptimizerStep
from ddl_lint_rules.training.tf_created_outside_scope.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per model and optimizer, where it is made."""
    if not strategies(run) or is_set_for_all(run):
        return
    yield from _told_outside(run)
    told: set[Object] = set()
    first = strategies(run)[0]
    for event in run.events(Compile, Fit, Forward, OptimizerStep):
        for made, message in _strangers(run, event):
            if made not in told:
                told.add(made)
                where = "it is used inside the scope here" if _is_inside(event) else "each replica uses it here"
                place = _asked(run, made, first)
                own = (Evidence("it is created here", made.location),) if place != made.location else ()
                is_sure = made.kind != "optimizer" or is_keras_3(run, place.path)  # Keras 2 makes its variables late
                severity = None if is_sure else Severity.WARNING
                finding = Finding(message, place, (*own, Evidence(where, event.location)), severity=severity)
                yield with_fix(finding, fix, run, place, event, first)


def _told_outside(run: RunView) -> Iterator[Finding]:
    """Compilations outside of the scope in which the model was made: the optimizer is made there."""
    for event in run.events(Compile):
        if may_be_in_scope(event.context) or not _has_state(event):
            continue
        for model in objects(event.model, "model"):
            made = next((each for each in made_in(model) if Strategy(each).replicates), None)
            if made is None or _is_old(run, event) or model.definition is not None:
                continue
            message = "the model is compiled outside of `strategy.scope()`, in which it was created"
            evidence = (Evidence("the model is created in the scope here", asked_for(run, model, event)),)
            is_sure = is_keras_3(run, event.location.path)
            finding = Finding(message, event.location, evidence, severity=None if is_sure else Severity.WARNING)
            yield with_fix(finding, fix, run, event.location, event, strategies(run)[0])


def _has_state(event: Compile) -> bool:
    """Whether the optimizer of a compilation surely keeps a state for each weight."""
    optimizer = event.optimizer
    if optimizer is None or (isinstance(optimizer, Const) and isinstance(optimizer.value, str)):
        return optimizer is None or str(optimizer.value).lower() != "sgd"
    made = objects(optimizer, "optimizer")
    return bool(made) and all(each.traits.get("slots") for each in made)


def _asked(run: RunView, made: Object, strategy: Event) -> Location:
    """Where the code that has the strategy gets a model or an optimizer: the scope belongs around that."""
    built = next((each for each in run.events(BuildOptimizer) if each.result is made), None)
    return reached_from(built, strategy) if built is not None else asked_for(run, made, strategy)


def _strangers(run: RunView, event: Event) -> Iterator[tuple[Object, str]]:
    is_inside = _is_inside(event)
    for model in objects(event.operands.get("model"), "model"):
        own = [each for each in made_in(model) if Strategy(each).replicates]
        if is_inside and own and event.kind in ("compile", "fit") and not set(own) & set(scopes(event.context)):
            yield model, "this model is created in the scope of another strategy than the one that trains it"
    if not is_inside and replica_call(run, event) is None:
        return
    for model in objects(event.operands.get("model"), "model"):
        if is_made_outside(model) and _is_seen(model) and event.kind != "forward":
            yield (
                model,
                "this model is created outside of `strategy.scope()`; its variables belong to no strategy",
            )
        elif is_made_outside(model) and _is_seen(model) and not is_inside:
            yield model, "this model is created outside of `strategy.scope()`, but each replica calls it"
    for metric in objects_in(event.operands.get("metrics", NONE)):
        is_old = is_keras_2(run, metric.location.path)
        if event.kind == "compile" and metric.traits.get("running_stats") and is_made_outside(metric) and is_old:
            yield (
                metric,
                "this metric is created outside of `strategy.scope()`, but the model is compiled inside",
            )
    for optimizer in objects(event.operands.get("optimizer"), "optimizer"):
        made = next((each for each in run.events(BuildOptimizer) if each.result is optimizer), None)
        if made is None or may_be_in_scope(made.context) or not optimizer.traits.get("slots") or _is_old(run, made):
            continue
        yield (
            optimizer,
            "this optimizer is created outside of `strategy.scope()`, so it belongs to another strategy",
        )


def _is_inside(event: Event) -> bool:
    return any(Strategy(strategy).replicates for strategy in scopes(event.context))


def _is_seen(model: Object) -> bool:
    """Whether it is a whole model with variables, not a layer that gets them when it is called."""
    if model.definition is not None:
        return False
    layers = model.given.get("layers")
    first = layers.items[0] if isinstance(layers, Items) and layers.items else None
    return "inputs" in model.given or (isinstance(first, Object) and first.kind != "model")


def _is_old(run: RunView, made: Event) -> bool:
    return is_keras_2(run, made.location.path)
