"""Finds batches of ordinary data sets that a strategy gives to all its replicas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Event, Evidence, Finding, Location, Object, RunView, Unknown, parts, replica_calls


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call of a strategy."""
    taken = {event.location: event for event in run.events("iterate", "next_element") if _is_ordinary(event)}
    for call in filter(_is_of_one_process, replica_calls(run)):
        source = next((taken[place] for place in _origins(call) if place in taken), None)
        if source is not None:
            yield Finding(
                "Wrong result: each replica gets the same whole batch; the data set is not distributed",
                call.location,
                (Evidence("the batch is taken here", source.location),),
            )


def _is_of_one_process(call: Event) -> bool:
    """Whether the strategy is surely one that divides each batch: where there are several, and one of them spans
    processes, each of these may have data of its own.
    """
    made = call.operands.get("strategy")
    return isinstance(made, Object) and not made.traits.get("configures_collectives")


def _is_ordinary(event: Event) -> bool:
    """Whether all elements come from a data set, and it is not one that divides them among the replicas."""
    made = event.operands.get("iterable")
    is_one = isinstance(made, Object) and made.kind == "iterable_dataset"
    return is_one and not made.traits.get("shards_data") and bool(made.traits.get("undivided_elements"))


def _origins(call: Event) -> Iterator[Location]:
    """Where the values come from that the function is given."""
    for part in parts(call.operands["tensor"]) if "tensor" in call.operands else ():
        origin = part.origin if isinstance(part, Unknown) else None
        while isinstance(origin, tuple) and not isinstance(origin, Location):
            origin = origin[0]  # pyright: ignore
        if isinstance(origin, Location):
            yield origin
