"""Finds steps of optimizers that are in a condition of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Apply,
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Value,
    called_name,
    made_in,
    named,
    objects,
    parts,
    replica_call,
    scopes,
    strategies,
)
from ddl_lint.rulekit.domain import Strategy
from ddl_lint.rulekit.events import Compile, Fit, OptimizerStep


def check(run: RunView) -> Iterable[Finding]:
    """One finding per step, and per optimizer that accumulates by itself."""
    if not strategies(run):
        return
    for step in run.events(OptimizerStep):
        driver = replica_call(run, step) or _fit(run, step)
        condition = next(_graph_conditions(step, driver), None) if driver is not None else None
        if driver is not None and condition is not None:
            call = named("apply_gradients", called_name, run, step.location)
            yield Finding(
                f"`{call}` is under a condition on a tensor, where the replicas cannot meet",
                step.location,
                (
                    Evidence("the condition on a tensor", condition.location),
                    Evidence("each replica runs this function", driver.location),
                ),
            )
    for compiled in run.events(Compile):
        for optimizer in objects(compiled.optimizer, "optimizer"):
            steps = optimizer.given.get("gradient_accumulation_steps")
            if isinstance(steps, Const) and steps.value not in (None, 0, 1) and _is_replicated(compiled.context):
                message = "an optimizer with `gradient_accumulation_steps` steps inside a condition of the graph"
                evidence = Evidence("it is compiled here", compiled.location)
                advice = "Drop `gradient_accumulation_steps`, or accumulate in a loop of your own."
                yield Finding(message, optimizer.location, (evidence,), help=advice)


def _is_replicated(context: Context) -> bool:
    return any(Strategy(strategy).replicates for strategy in scopes(context))


def _fit(run: RunView, step: Event) -> Fit | None:
    """The training by the library that calls the method in which a step is made, under a strategy."""
    places = {node.location for node in step.context.chain() if node.kind == "callback"}
    return next((fit for fit in run.events(Fit) if fit.location in places and _is_made_in_scope(fit)), None)


def _is_made_in_scope(fit: Fit) -> bool:
    models = objects(fit.model, "model")
    return any(Strategy(strategy).replicates for model in models for strategy in made_in(model))


def _graph_conditions(step: Event, driver: Event) -> Iterator[Context]:
    """The conditions between the call that starts the replicas and a step which become part of the graph."""
    chain = list(step.context.chain())
    called = {node.location for node in chain if node.kind == "callback" and node.location != driver.location}
    for node in chain:
        if node.kind == "callback" and node.location == driver.location:
            return
        if node.kind == "branch" and not node.assumed and (node.location in called or _is_of_tensor(node.value)):
            yield node


def _is_of_tensor(value: Value | None) -> bool:
    return value is not None and any(
        (isinstance(part, Object) and part.kind in ("parameter", "tensor"))
        or (isinstance(part, Apply) and part.operator == "asks")  # a comparison by the library gives a tensor
        for part in parts(value)
    )
