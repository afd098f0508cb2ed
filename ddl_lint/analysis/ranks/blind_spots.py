"""What a run does of which a trace cannot tell whether ranks meet in it, so that its verdict can say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.analysis.queries.quoting import callee
from ddl_lint.analysis.ranks.excerpts import head
from ddl_lint.analysis.ranks.timeline import TimelineStep
from ddl_lint.analysis.ranks.together import is_sharded
from ddl_lint.analysis.values.tags import LOCAL_TAGS, tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.program.tags import UNIFORM
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Unknown
from ddl_lint.source.span import Location

BlindKind: TypeAlias = Literal["loop", "generate", "sharded", "unknown"]
"""A loop around calls of all ranks whose number of iterations depends on data; a call that generates until each rank
has found its end; the forward of a sharded module, which gathers layer by layer; a call that was not followed."""


@dataclass(frozen=True, slots=True)
class BlindSpot:
    """All that a trace cannot see of one kind: how the first is written, where it is, and how many more there are."""

    kind: BlindKind
    text: str
    location: Location
    more: int = 0


def blind_spots(run: RunView, steps: Iterable[TimelineStep]) -> tuple[BlindSpot, ...]:
    """What cannot be seen of the calls that are shown, one for each kind."""
    steps = list(steps)
    found: Mapping[BlindKind, dict[Location, str]] = {
        "loop": {loop.location: head(loop.location, run.documents) for loop in _loops_of_data(run, steps)},
        "generate": {each.location: callee(run, each) for each in _events(steps) if "generation" in each.provides},
        "sharded": {
            each.location: callee(run, each)
            for each in _events(steps)
            if each.kind == "forward" and "generation" not in each.provides and is_sharded(each, run)
        },
        "unknown": {
            step.event.location: step.event.api.rpartition(".")[2]
            for step in steps
            if step.opaque and step.event is not None and step.event.api
        },
    }
    return tuple(
        BlindSpot(kind, text, location, len(places) - 1)
        for kind, places in found.items()
        for location, text in list(places.items())[:1]
    )


def _events(steps: Iterable[TimelineStep]) -> Iterator[Event]:
    return (step.event for step in steps if step.event is not None and not step.opaque)


def _loops_of_data(run: RunView, steps: Iterable[TimelineStep]) -> Iterator[Context]:
    for event in _events(steps):
        yield from (node for node in event.context.chain() if node.kind == "loop" and _depends_on_data(run, node))


def _depends_on_data(run: RunView, loop: Context) -> bool:
    """Whether what each process sees for itself decides how often a loop runs, or it is unknown what does."""
    value = loop.test if loop.test is not None else loop.value
    if value is None or UNIFORM in tags_of(value):
        return False
    carried = run.run.carried
    computed = [change[1] for part in parts(value) if (change := carried.get(part)) is not None]
    is_local = any(tags_of(each) & LOCAL_TAGS and UNIFORM not in tags_of(each) for each in (value, *computed))
    return is_local or (isinstance(value, Unknown) and value not in carried)
