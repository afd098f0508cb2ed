"""Finds training with parameter servers that cannot begin or end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Evidence, Finding, Object, RunView, objects, parts, strategies

_SINCE = "2.4"
"""The TensorFlow from which on the strategy must be told its cluster."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per strategy without a cluster, and per training without a length."""
    made = strategies(run, "by_servers")
    for event in made:
        for strategy in objects(event.result, "strategy"):
            given = strategy.given.keys() & {"cluster_resolver"}
            is_new = run.versions_of(event.location.path).surely_from("tensorflow", _SINCE)
            if not given and not event.unseen and is_new:
                message = "Crash: __init__() missing 1 required positional argument: 'cluster_resolver'"
                yield Finding(message, event.location)
    yield from _endless(run) if made else ()


def _endless(run: RunView) -> Iterator[Finding]:
    for fit in run.events("fit"):
        models = objects(fit.operands.get("model"), "model")
        if "steps" in fit.operands or fit.unseen or not any(map(_is_served, models)):
            continue
        message = "Crash: with parameter servers, `fit` needs `steps_per_epoch`: the data has no end that all see"
        yield Finding(message, fit.location, (Evidence("the model is made here", models[0].location),))


def _is_served(model: Object) -> bool:
    contexts = parts(model.given["made_in"]) if "made_in" in model.given else ()
    return any(
        strategy.traits.get("by_servers")
        for context in contexts
        if isinstance(context, Object)
        for strategy in objects(context.given.get("strategy"), "strategy")
    )
