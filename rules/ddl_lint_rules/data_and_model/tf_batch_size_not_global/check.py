"""Finds batches of data sets that a strategy divides, or does not, against what their sizes mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Claim,
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Setting,
    Value,
    batched_in,
    data_sources,
    is_constant,
    made_in,
    match,
    objects,
    parts,
    result_name,
    shown,
    with_fix,
)
from ddl_lint.rulekit.domain import PROCESSES, Count, Loader, Sampler, Strategy, quantity
from ddl_lint.rulekit.events import CountByDevices, DistributeData, Fit
from ddl_lint_rules.data_and_model.tf_batch_size_not_global.fix import ask_for_own, use_whole


def check(run: RunView) -> Iterable[Finding]:
    """One finding per batch."""
    counted = run.events(CountByDevices)
    told: set[Object] = set()
    yield from _too_many_steps(run)
    for event in run.events(DistributeData, Fit):
        if event.kind == "fit" and not _is_replicated(event):
            continue
        if "function" in event.operands:
            yield from _of_pipeline(run, event, counted)
            continue
        for made in objects(event.data, "iterable_dataset"):
            batched = batched_in(made)
            size = Loader(batched).batch_size if batched is not None else None
            if batched is None or size is None or batched in told:
                continue
            told.add(batched)
            whole = next(_multiplied(counted, size), None)
            if whole is not None:
                message = "batches with the size of one replica, which the strategy divides among all replicas"
                name = shown("the global batch size", result_name, run, whole.location)
                evidence = (Evidence("the global batch size", whole.location),)
                finding = Finding(message, batched.location, evidence, help=f"Batch with {name}.")
                yield with_fix(finding, use_whole, run, batched, whole)
            divided = next((each for each in counted if each.result == size and _is(each, "//")), None)
            if divided is not None:
                message = "the batch size is divided by the number of replicas here, and by the strategy again"
                evidence = (Evidence("it is divided here", divided.location),)
                reason = "which of the two divisions is meant is for you to say"
                advice = "Batch with the global batch size, without dividing it."
                yield Finding(message, batched.location, evidence, help=advice, unfixable=reason)


def _is_replicated(fit: Event) -> bool:
    """Whether a strategy divides the batches of a training."""
    models = objects(fit.operands.get("model"), "model")
    return any(Strategy(strategy).replicates for model in models for strategy in made_in(model))


def _of_pipeline(run: RunView, event: Event, counted: list[CountByDevices]) -> Iterator[Finding]:
    """The batches that the input function of one pipeline makes, which no code divides any more."""
    for distributed in objects(event.result, "iterable_dataset"):
        for made in objects(distributed.given.get("source"), "iterable_dataset"):
            chain = list(data_sources(made))
            batched = batched_in(made)
            size = Loader(batched).batch_size if batched is not None else None
            whole = next((each for each in counted if each.result == size and _is(each, "*")), None)
            if batched is not None and whole is not None:
                message = Claim(
                    "the input function returns batches of the global size, one for each replica", "wrong-result"
                )
                finding = Finding(message, batched.location, (Evidence("the global batch size", whole.location),))
                yield with_fix(finding, ask_for_own, run, batched)
            is_shared = any(
                strategy.traits.get("multi_process") for strategy in objects(event.operands.get("strategy"), "strategy")
            )
            root = chain[-1]
            if is_shared and not any(Sampler(each).divides_data for each in chain) and _is_whole(root):
                message = "every worker reads the whole dataset, which its input function does not shard"
                evidence = (Evidence("each worker calls it here", event.location),)
                yield Finding(
                    message, root.location, evidence, unfixable="before which step to shard is for you to say"
                )


def _too_many_steps(run: RunView) -> Iterator[Finding]:
    """Trainings that end after as many steps as one replica would need, while each replica takes batches of its own."""
    for fit in run.events(Fit):
        steps = fit.steps
        strategy = next(_distributing(fit), None)
        if steps is None or strategy is None or quantity(steps).has(Count.DEVICES, *PROCESSES):
            continue
        for made in objects(fit.made_data, "iterable_dataset"):
            batched = batched_in(made)
            if batched is not None and _is_endless(made) and batched.given["batch_size"] == _divisor(steps):
                message = "each replica takes batches of this size, so the steps are too many"
                evidence = (
                    Evidence("each replica takes such a batch", batched.location),
                    Evidence("the strategy has several replicas", strategy.location),
                )
                advice = "Divide the batch size of the input function, or the steps, by the number of replicas."
                reason = "whether the batch or the number of steps is meant is for you to say"
                yield Finding(message, fit.location, evidence, help=advice, unfixable=reason)


def _divisor(steps: Value) -> Value | None:
    """What a number of steps was divided by, if that is one thing, and not a number that is written down."""
    pairs = [pair for part in parts(steps) if (pair := match.quotient(part) or match.floor_div(part)) is not None]
    return pairs[0][1] if len(pairs) == 1 and isinstance(pairs[0][1], Setting) else None


def _is_endless(made: Object) -> bool:
    """Whether a data set surely begins again whenever it has come to its end."""
    return any(each.given.get("repeats") in (NONE, Const(-1)) for each in data_sources(made))


def _distributing(fit: Fit) -> Iterator[Object]:
    """The strategies by which the configuration of an estimator has it train."""
    for trainer in objects(fit.model, "trainer"):
        for configuration in objects(trainer.given.get("config")):
            for strategy in objects(configuration.given.get("train_distribute"), "strategy"):
                if Strategy(strategy).replicates:
                    yield strategy


def _is_whole(root: Object) -> bool:
    """Whether a dataset surely reads all the data, and not what a worker was given to read."""
    source = root.given.get("source", root.given.get("filenames"))
    return (
        "shuffled" not in root.given or root.given["shuffled"] == Const(False) if isinstance(source, Const) else False
    )


def _is(event: CountByDevices, operation: str) -> bool:
    return is_constant(event.operation, operation)


def _multiplied(counted: list[CountByDevices], size: Value) -> Iterator[CountByDevices]:
    return (each for each in counted if each.value == size and _is(each, "*"))
