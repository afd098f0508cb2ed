"""Finds training with parameter servers that cannot begin or end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from ddl_lint.rulekit import (
    Claim,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Severity,
    Value,
    data_sources,
    follows,
    is_constant,
    made_in,
    objects,
    strategies,
)
from ddl_lint.rulekit.events import Fit, SetEnvironment
from ddl_lint_rules.communication_setup.tf_config_env.cluster import data_of, decoded, place_of

_SINCE = "2.4"
"""The TensorFlow from which on the strategy must be given its cluster."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per strategy without a cluster, and per training without a length."""
    made = strategies(run, "by_servers")
    for event in made:
        for strategy in objects(event.result, "strategy"):
            given = strategy.given.keys() & {"cluster_resolver"}
            is_new = run.versions_of(event.location.path).surely_from("tensorflow", _SINCE)
            if not given and not event.unseen and is_new:
                message = Claim(
                    f"`{event.api.rpartition('.')[2]}` needs `cluster_resolver=`; this call raises TypeError", "crash"
                )
                help = "Pass a cluster resolver, such as `tf.distribute.cluster_resolver.TFConfigClusterResolver()`."
                yield Finding(message, event.location, help=help)
        yield from _unusable(run, event)
    yield from _endless(run) if made else ()


def _unusable(run: RunView, made: Event) -> Iterator[Finding]:
    """What the coordinator of a cluster waits for without end, or asks for."""
    for hosts, value, where, place in _clusters(run, made):
        evidence = (Evidence("the strategy is created here", made.location),)
        if ... in hosts:
            continue
        if not hosts.get("ps"):
            yield Finding(
                "the cluster has no `ps`, and the strategy needs at least one", place, evidence, consequence="crash"
            )
        elif "evaluator" in hosts:
            message = "the coordinator waits forever for the `evaluator`, which takes no part in the training"
            yield Finding(message, place_of(value, (*where, "evaluator", 0)) or place, evidence)
        elif where and not hosts.get("chief"):
            message = "the cluster has no `chief` to run the coordinator; all other tasks wait for it"
            yield Finding(message, place, evidence)


def _clusters(
    run: RunView, made: Event
) -> Iterator[tuple[dict[Any, Any], Value | None, tuple[str | int, ...], Location]]:
    """The clusters that a strategy may be given: the tasks, the value with the keys to them in it, and where."""
    for event in run.events(SetEnvironment):
        if is_constant(event.variable, "TF_CONFIG") and follows(event, made):
            value = event.value
            data = decoded(value)
            hosts = cast("dict[Any, Any]", data).get("cluster") if isinstance(data, dict) else None
            if isinstance(hosts, dict) and hosts:
                yield cast("dict[Any, Any]", hosts), value, ("cluster",), event.location
    for strategy in objects(made.result, "strategy"):
        for resolver in objects(strategy.given.get("cluster_resolver")):
            for spec in objects(resolver.given.get("cluster_spec")):
                value = spec.given.get("cluster")
                hosts = data_of(value)
                if isinstance(hosts, dict) and hosts:
                    yield cast("dict[Any, Any]", hosts), value, (), spec.location


def _endless(run: RunView) -> Iterator[Finding]:
    for fit in run.events(Fit):
        models = objects(fit.model, "model")
        yield from _ending(fit) if any(map(_is_served, models)) else ()
        if fit.steps is not None or fit.unseen or not any(map(_is_served, models)):
            continue
        message = Claim("with parameter servers, `fit` needs `steps_per_epoch=`", "crash")
        evidence = (Evidence("the model is created under the strategy here", models[0].location),)
        yield Finding(message, fit.location, evidence, help="Pass `steps_per_epoch=`, and let the data repeat.")


def _ending(fit: Fit) -> Iterator[Finding]:
    """Data of a worker that ends, while the coordinator goes on to hand out steps."""
    for creator in objects(fit.data):
        for made in objects(creator.given.get("source"), "iterable_dataset"):
            if not any("fixed_length" in each.given for each in data_sources(made)):
                message = Claim(
                    "the data of a worker ends before the epoch does; this dataset does not repeat", "crash"
                )
                evidence = (Evidence("training starts here", fit.location),)
                yield Finding(message, made.location, evidence, severity=Severity.WARNING)


def _is_served(model: Object) -> bool:
    return any(strategy.traits.get("by_servers") for strategy in made_in(model))
