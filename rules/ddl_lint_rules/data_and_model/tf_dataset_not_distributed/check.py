"""Finds batches of ordinary data sets that a strategy gives to all its replicas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    Items,
    Location,
    RunView,
    Unknown,
    called_name,
    named,
    objects,
    parts,
    replica_calls,
    strategies,
    with_fix,
)
from ddl_lint.rulekit.domain import Sampler
from ddl_lint.rulekit.events import Collective, DistributeData, Iterate, NextElement
from ddl_lint_rules.data_and_model.tf_dataset_not_distributed.fix import distribute

_PLAIN = {"dataset": "a dataset of another kind", "iterator": "a generator", "loader": "a loader"}
"""What has elements and is no data set of TensorFlow, by the kind of object."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call of a strategy, where the program has one only: of several, one may span processes, each of
    which has data of its own.
    """
    yield from _undividable(run)
    if len(strategies(run)) != 1:
        return
    events = run.events(Iterate, NextElement)
    divided = {event.location for event in events if not _is_ordinary(event)}
    taken = {event.location: event for event in events if event.location not in divided}
    for call in replica_calls(run):
        if any(made.traits.get("configures_collectives") for made in objects(call.strategy)):
            continue
        source = next((taken[place] for place in _origins(call) if place in taken), None)
        if source is not None:
            name = named("strategy.run", called_name, run, call.location)
            finding = Finding(
                f"each replica of `{name}` gets the same whole batch; the dataset is not distributed",
                call.location,
                (Evidence("the batch is taken here, from an ordinary dataset", source.location),),
                consequence="wrong-result",
            )
            yield with_fix(finding, distribute, run, source, strategies(run)[0])


def _undividable(run: RunView) -> Iterator[Finding]:
    """What a strategy cannot divide, because it is no `tf.data.Dataset`."""
    for event in run.events(DistributeData):
        data = event.data
        name = next((name for kind, name in _PLAIN.items() if objects(data, kind)), None)
        if isinstance(data, Items) and data.kind != "iterator":
            name = f"a {data.kind}"
        if name is not None and objects(event.strategy, "strategy"):
            message = f"the strategy distributes a `tf.data.Dataset`, but gets {name}"
            yield Finding(message, event.location, unfixable="how its elements become batches is for you to say")


def _is_ordinary(event: Iterate | NextElement) -> bool:
    """Whether all elements come from a data set, and it is not one that divides them among the replicas."""
    if any(objects(event.iterable, kind) for kind in _PLAIN):
        return True
    made = objects(event.iterable, "iterable_dataset")
    return len(made) == 1 and not Sampler(made[0]).divides_data and bool(made[0].traits.get("undivided_elements"))


def _origins(call: Collective) -> Iterator[Location]:
    """Where the values come from that the function is given."""
    for part in parts(call.tensor) if call.tensor is not None else ():
        origin = part.origin if isinstance(part, Unknown) else None
        while isinstance(origin, tuple) and not isinstance(origin, Location):
            origin = origin[0]  # pyright: ignore
        if isinstance(origin, Location):
            yield origin
