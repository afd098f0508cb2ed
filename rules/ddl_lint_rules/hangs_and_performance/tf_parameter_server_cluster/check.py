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
                message = (
                    f"Crash: `{event.api.rpartition('.')[2]}` needs `cluster_resolver=`; this call raises TypeError"
                )
                help = "Pass a cluster resolver, such as `tf.distribute.cluster_resolver.TFConfigClusterResolver()`."
                yield Finding(message, event.location, help=help)
    yield from _endless(run) if made else ()


def _endless(run: RunView) -> Iterator[Finding]:
    for fit in run.events("fit"):
        models = objects(fit.operands.get("model"), "model")
        if "steps" in fit.operands or fit.unseen or not any(map(_is_served, models)):
            continue
        message = "Crash: with parameter servers, `fit` needs `steps_per_epoch=`"
        evidence = (Evidence("the model is created under the strategy here", models[0].location),)
        yield Finding(message, fit.location, evidence, help="Pass `steps_per_epoch=`, and let the data repeat.")


def _is_served(model: Object) -> bool:
    contexts = parts(model.given["made_in"]) if "made_in" in model.given else ()
    return any(
        strategy.traits.get("by_servers")
        for context in contexts
        if isinstance(context, Object)
        for strategy in objects(context.given.get("strategy"), "strategy")
    )
