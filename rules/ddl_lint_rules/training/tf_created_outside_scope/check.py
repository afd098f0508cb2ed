"""Finds models and optimizers that a strategy trains without having made them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Items,
    Object,
    RunView,
    is_made_outside,
    is_set_for_all,
    may_be_in_scope,
    objects,
    replica_call,
    scopes,
    strategies,
)

_SINCE = "3.0"
"""The Keras whose optimizers have variables of their own from the beginning."""

_BUNDLED = "2.16"
"""The TensorFlow that brings it."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per model and optimizer, where it is made."""
    if not strategies(run) or is_set_for_all(run):
        return
    reported: set[Object] = set()
    for event in run.events("compile", "fit", "forward", "optimizer_step"):
        for made, message in _strangers(run, event):
            if made not in reported:
                reported.add(made)
                where = "it is used inside the scope here" if _is_inside(event) else "each replica uses it here"
                yield Finding(message, made.location, (Evidence(where, event.location),))


def _strangers(run: RunView, event: Event) -> Iterator[tuple[Object, str]]:
    is_inside = _is_inside(event)
    if not is_inside and replica_call(run, event) is None:
        return
    for model in objects(event.operands.get("model"), "model"):
        if is_made_outside(model) and _is_seen(model) and event.kind != "forward":
            yield (
                model,
                "Crash: this model is created outside of `strategy.scope()`; its variables belong to no strategy",
            )
        elif is_made_outside(model) and _is_seen(model) and not is_inside:
            yield model, "Crash: this model is created outside of `strategy.scope()`, but each replica calls it"
    for optimizer in objects(event.operands.get("optimizer"), "optimizer"):
        made = next((each for each in run.events("build_optimizer") if each.result is optimizer), None)
        if made is None or may_be_in_scope(made.context) or not optimizer.traits.get("slots") or _is_old(run, made):
            continue
        yield (
            optimizer,
            "Crash: this optimizer is created outside of `strategy.scope()`, so it belongs to another strategy",
        )


def _is_inside(event: Event) -> bool:
    return any(strategy.traits.get("replicates") for strategy in scopes(event.context))


def _is_seen(model: Object) -> bool:
    """Whether it is a whole model with variables, not a layer that gets them when it is called."""
    if model.definition is not None:
        return False
    layers = model.given.get("layers")
    first = layers.items[0] if isinstance(layers, Items) and layers.items else None
    return "inputs" in model.given or (isinstance(first, Object) and first.kind != "model")


def _is_old(run: RunView, made: Event) -> bool:
    versions = run.versions_of(made.location.path)
    return versions.surely_before("keras", _SINCE) or versions.surely_before("tensorflow", _BUNDLED)
