"""Questions about what feeds the training: who goes through which data, and who may see to that."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import TypeVar

from ddl_lint.analysis.queries.averaging import averaging
from ddl_lint.analysis.queries.control_context import contradicts, is_replicated, may_be_replicated
from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.values.contexts import excludes, loops, undecided
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.tags import tags_of
from ddl_lint.analysis.values.visitors import children, contents, origins, parts
from ddl_lint.analysis.view import RunView
from ddl_lint.program.event_types import Backward, Forward, InitMesh, Iterate, NextElement, OptimizerStep, WrapModel
from ddl_lint.program.tags import Tag, TagKind
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Apply, Items, Object, Value
from ddl_lint.source.span import Location

_Happening = TypeVar("_Happening", bound=Event)


def cares_for_data(run: RunView) -> bool:
    """Whether a trainer, launcher or helper that cannot be seen may divide the data."""
    return any(event.kind != "build_sampler" for event in run.providers("sampler"))


def is_model_parallel(run: RunView) -> bool:
    """Whether ranks may share their data on purpose, because they hold parts of one model."""
    meshes = run.events(InitMesh)
    several = any(not isinstance(shape, Items) or len(shape.items) != 1 for mesh in meshes for shape in [mesh.shape])
    return several or any(event.operands.get("group", NONE) != NONE for event in run.events(WrapModel))


def trains(run: RunView, built: Event, loader: Object) -> Forward | None:
    """A forward of the replicated model, or of one that an averaging optimizer trains, on the loader's batches.

    A loader that is built in any case is at fault as soon as one of the ways through the program replicates the model.
    """
    if not events_consuming(run, loader, Backward):
        return None
    replicated = is_replicated if any(undecided(built)) else may_be_replicated
    forwards = [event for event in events_consuming(run, loader, Forward) if _may_follow(built, event)]
    found = next((event for event in forwards if replicated(event.model, run, run.api)), None)
    if found is None and forwards and steps_together(run, loader, built=built) is not None:
        return forwards[0]
    return found


def steps_together(
    run: RunView, data: Object, drawing: Collection[Context] = (), *, built: Event | None = None
) -> OptimizerStep | None:
    """A step, on elements of the data, of an optimizer that averages the gradients, or of one that a tape gives them.

    `drawing` are loops in whose turns elements are asked for one by one. `built` makes the data; where that happens in
    any case, it is enough that the optimizer may be such a one.
    """
    surely = built is None or any(undecided(built))
    steps = [event for event in run.events(OptimizerStep) if any(loop in drawing for loop in loops(event.context)[:1])]
    for event in (*events_consuming(run, data, OptimizerStep), *steps):
        if built is not None and not _may_follow(built, event):
            continue
        used = objects(event.optimizer, "optimizer")
        averages = [made for made in used if averaging(made)]
        if averages and (not surely or len(averages) == len(used)):
            return event
        for gradients in run.events(Backward):
            by = objects(gradients.by)
            reaches = Tag.at(TagKind.GRADIENT, gradients.location) in tags_of(event.operands.get("gradients", NONE))
            if reaches and any(made.traits.get("synchronizes_gradients") for made in by):
                return event
    return None


def _may_follow(built: Event, event: Event) -> bool:
    """Whether an event may happen in a run in which another one does: one thing is used under several conditions, each
    for another of the things that it may be.
    """
    return not contradicts(built.context, event.context) and not excludes(built.context, event.context)


def iterates_over(loop: Context, item: Object) -> bool:
    """Whether a loop takes the elements of an object: also through `enumerate(item)`, through `iter(item)`, or
    `range(len(item))` times.

    One that begins at a number computed from its length, or divides by that, counts epochs.
    """
    value = loop.value
    if isinstance(value, Apply) and value.operator == "range" and len(value.operands) > 1:
        value = value.operands[1]
    if value is None:
        return False
    return any(item in (part, _goes_through(part)) for part in parts(value, below=_without_divisors))


def _goes_through(value: Value) -> Value | None:
    """What an iterator takes its elements from."""
    return value.given.get("iterable") if isinstance(value, Object) and value.kind == "iterator" else None


def _without_divisors(value: Value) -> Iterable[Value]:
    if isinstance(value, Apply) and value.operator in ("/", "//"):
        return value.operands[:1]
    return children(value)


def events_consuming(run: RunView, item: Object, *kinds: type[_Happening]) -> list[_Happening]:
    """The events of these kinds that happen to the elements of a loader: in a loop over it, over a generator of the
    project that hands its elements on, or around a `next` of its iterator."""
    taking = consuming_loops(run, item) | run.once(_sampling_loops).get(item, set())
    return [
        event
        for event in run.events(*kinds)
        if any(loop in taking or iterates_over(loop, item) for loop in loops(event.context))
    ]


def events_after(run: RunView, item: Object, *kinds: type[_Happening]) -> list[_Happening]:
    """The events of these kinds that happen, after a loop over a loader, to what the loop has collected in lists: its
    elements, or what models have made of them.
    """
    taking = consuming_loops(run, item)
    made: set[Hashable] = set()
    for event in run.events(Iterate):
        if item in objects(event.iterable):
            made.add((event.location, "element"))
    for event in run.events(Forward):
        if any(loop in taking or iterates_over(loop, item) for loop in loops(event.context)):
            made.update(_roots(event.result, run))
    inside = set(events_consuming(run, item, *kinds))
    return [
        event
        for event in run.events(*kinds)
        if event not in inside
        and any(not made.isdisjoint(_roots(value, run)) for role, value in event.operands.items() if role == "tensor")
    ]


def _roots(value: Value | None, run: RunView) -> Iterator[Hashable]:
    """The objects and the origins of the unknown values in a value, with those that these were read from."""
    for part in contents(value, run.heap) if value is not None else ():
        if isinstance(part, Object):
            yield part
        else:
            yield from origins(part)


def consuming_loops(run: RunView, item: Object) -> set[Context]:
    """The loops that take the elements of a loader through a generator of the project, or one by one by hand."""
    return run.once(_consuming_loops).get(item, set())


def is_sampled(run: RunView, iteration: Event) -> bool:
    """Whether an iteration is begun only to look at the first element: `next(iter(loader))`."""
    return iteration.location in run.once(_sampled)


def _consuming_loops(run: RunView) -> dict[Object, set[Context]]:
    return _takers(event for event in run.events(Iterate, NextElement) if not _is_first(run, event))


def _sampling_loops(run: RunView) -> dict[Object, set[Context]]:
    """The loops that take the first element of a loader anew in each iteration."""
    return _takers(event for event in run.events(NextElement) if _is_first(run, event))


def _takers(takings: Iterable[Iterate | NextElement]) -> dict[Object, set[Context]]:
    found: dict[Object, set[Context]] = {}
    for event in takings:
        taker = _consuming_loop(event)
        if taker is not None:
            for item in objects(event.iterable):
                found.setdefault(item, set()).add(taker)
    return found


def _is_first(run: RunView, taking: Iterate | NextElement) -> bool:
    """Whether an element is taken from an iterator that the innermost loop around has made in the same iteration."""
    around = loops(taking.context)[:1]
    iterators = objects(taking.iterator) if isinstance(taking, NextElement) else []
    if not iterators or len(iterators) < len(alternatives(taking.operands["iterator"])):
        return False  # an earlier iteration has made it
    begun = {event.location for event in run.events(Iterate) if loops(event.context)[:1] == around}
    return all(made.location in begun for made in iterators)


def _sampled(run: RunView) -> set[Location]:
    first, later = set[Location](), set[Location]()
    for event in run.events(NextElement):
        places = first if _is_first(run, event) else later
        places.update(made.location for made in objects(event.iterator))
    return first - later


def _consuming_loop(event: Event) -> Context | None:
    """The loop that consumes what is drawn from an object outside of a loop over it."""
    nodes = list(event.context.chain())
    if event.kind == "iterate":
        calls = [i for i, node in enumerate(nodes) if node.function is not None and node.function.is_generator]
        nodes = nodes[calls[-1] :] if calls else []
    for node in nodes:
        if node.kind == "handler" or (node.kind == "branch" and not (node.assumed or node.implied)):
            return None
        if node.kind == "loop":
            return node
    return None
