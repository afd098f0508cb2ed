"""Which calls of models a backward goes back through, and which wrappers average the gradients on that way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ddl_lint.analysis.interpreter.models.tensors import form
from ddl_lint.analysis.queries.modules import module_children, parts_of
from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.values.contexts import loops, records_gradients, undecided
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.tags import forward_tags, is_gradient, tags_now
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.analysis.view import RunView
from ddl_lint.program.event_types import (
    Backward,
    Collective,
    Communicate,
    Forward,
    SkipSynchronization,
    Unfollowed,
    WrapModel,
)
from ddl_lint.program.heap import Heap
from ddl_lint.program.tags import NO_TAGS, NUMBER, OUTPUT, Tag, TagKind, Tags
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Alternatives, Apply, Items, Object, Table, Unknown, Value


@dataclass(frozen=True, slots=True)
class Replica:
    """A model inside a wrapper that averages its gradients in each backward.

    `wrapper` is what is called in its place (the model itself, where it was wrapped in place), `wrap` the event,
    `parts` the model with all modules and parameters in it.
    """

    wrapper: Object
    model: Object
    wrap: WrapModel
    parts: frozenset[Object]


def replicas(run: RunView) -> list[Replica]:
    """The models that the run wraps for data-parallel training, each copy of which has all parameters."""
    return run.once(_replicas)


def _replicas(run: RunView) -> list[Replica]:
    held = module_children(run)
    found: list[Replica] = []
    for wrap in run.events(WrapModel):
        result, models = wrap.result, objects(wrap.model, "model")
        if isinstance(result, Object) and result.traits.get("wrapper") == "ddp" and len(models) == 1:
            found.append(Replica(result, models[0], wrap, frozenset(parts_of(models[0], held))))
    return found


def forwards_behind(run: RunView, value: Value | None, before: Event) -> list[Forward]:
    """The calls of models that gradients of a value go back through, in order."""
    known = run.once(_forwards)
    tags = forward_tags(value if value is not None else NONE, run.heap)
    found = {event for tag in tags for event in known.get(tag, ()) if event.order < before.order}
    return sorted(found, key=lambda event: event.order)


def _forwards(run: RunView) -> Mapping[Tag, list[Forward]]:
    found: dict[Tag, list[Forward]] = defaultdict(list)
    for event in run.events(Forward):
        found[Tag.at(TagKind.FORWARD, event.location)].append(event)
    return found


def trained_models(optimizer: Object) -> set[Object]:
    """The models that the parameters of an optimizer, wrapped or not, belong to, as far as they are known."""
    inner = objects(optimizer.given.get("of", optimizer))
    given = [part for made in inner for part in objects_in(made.given.get("parameters", NONE))]
    return {model for part in given for model in objects(part.given.get("of"), "model")}


def is_only_call(run: RunView, forward: Event) -> bool:
    """Whether the place of a call is come to once, so that what it gave cannot be mistaken for another result."""
    return len(run.once(_forwards).get(Tag.at(TagKind.FORWARD, forward.location), ())) == 1


def is_call_of(run: RunView, forward: Forward, replica: Replica) -> bool:
    """Whether a call runs the wrapper, which may be inside another one."""
    return forward.order > replica.wrap.order and any(
        replica.wrapper in _insides(called, run.heap) for called in objects(forward.model)
    )


def _insides(called: Object, heap: Heap) -> list[Object]:
    """A model and those inside of it, as far as it is a wrapper of wrappers."""
    found = [called]
    while "wrapper" in found[-1].traits:
        held = heap.attributes(found[-1]).get("module", found[-1].given.get("module"))
        if not isinstance(held, Object) or held in found:
            break
        found.append(held)
    return found


def is_inside(event: Event, calls: Iterable[Forward]) -> bool:
    """Whether an event happens in one of these calls."""
    places = {call.location for call in calls}
    return any(node.kind == "call" and node.location in places for node in event.context.chain())


def calls_in_step(run: RunView, replica: Replica, event: Event) -> list[Forward]:
    """A wrapper's calls, with gradients, in the same iteration of the loop around an event; without a loop, all."""
    around = loops(event.context)
    return [
        forward
        for forward in run.events(Forward)
        if is_call_of(run, forward, replica)
        and records_gradients(forward.context)
        and (not around or around[0] in loops(forward.context))
    ]


def is_held_back(run: RunView, event: Event, replica: Replica) -> Context | None:
    """The `with` around an event that surely puts off the averaging of the gradients of a model: `no_sync()`."""
    held = _holding_back(run, replica)
    for node in event.context.chain():
        if node.kind == "with" and isinstance(node.value, Object) and node.value in held:
            return node
    return None


def may_be_held_back(run: RunView, event: Event, replica: Replica) -> Context | None:
    """The `with` around an event that puts off the averaging in some steps: `no_sync()`, or another context."""
    held = _holding_back(run, replica)
    for node in event.context.chain():
        if node.kind == "with" and not held.isdisjoint(objects(node.value)):
            return node
    return None


def _holding_back(run: RunView, replica: Replica) -> set[Object]:
    return {
        made
        for skip in run.events(SkipSynchronization)
        if replica.wrapper in objects(skip.model)
        for made in objects(skip.result)
    }


def averages_by_hand(run: RunView, event: Event) -> bool:
    """Whether gradients are reduced, or may be, in a loop after an event."""
    return any(
        each.order > event.order and loops(each.context) and may_hold_gradients(run, each)
        for each in run.events(Collective, Communicate, Unfollowed)
    )


def may_hold_gradients(run: RunView, event: Event) -> bool:
    """Whether a communication may be about gradients or parameters, as far as one can tell.

    Not about them are calls without a tensor, losses and other outputs of a model, and a tensor of some numbers.
    """
    if event.kind != "collective" or "tensor" in event.unseen:
        return True
    return _may_be_gradients(event.operands.get("tensor", NONE), run.heap)


def _may_be_gradients(value: Value, heap: Heap, depth: int = 0) -> bool:
    if isinstance(value, Items):
        return value.open or any(_may_be_gradients(item, heap, depth) for item in value.items)
    if isinstance(value, Alternatives):
        return any(_may_be_gradients(option, heap, depth) for option in alternatives(value))
    if is_gradient(value, heap) or depth > _DEEPEST:
        return True
    if forward_tags(value, heap) or tags_now(value, heap) & {OUTPUT, NUMBER}:
        return False
    if not isinstance(value, Object) or value.kind != "tensor":
        return isinstance(value, (Object, Unknown, Apply))
    if "gradient" in value.given or objects(value.given.get("of"), "model", "parameter"):
        return True
    if "size" in value.given:
        return form(value) is None  # it may be filled with gradients, unless it holds some numbers only
    made_of = [value.given[name] for name in ("of", "operands", "others", "data", "like") if name in value.given]
    return not made_of or any(_may_be_gradients(each, heap, depth + 1) for each in made_of)


_DEEPEST = 6


def conditions(event: Event) -> set[int]:
    """The undecided conditions around an event, to be compared with those around another."""
    return {id(node) for node in undecided(event)}


def dropped_parts(run: RunView, replica: Replica) -> list[Event]:
    """The calls of parts of a model, one for each, that only outputs come from which no backward of the run needs."""
    calls = [each for each in run.events(Forward) if is_call_of(run, each, replica) and records_gradients(each.context)]
    losses = [backward.operands.get("loss", NONE) for backward in run.events(Backward)]
    needed = [forward_tags(loss, run.heap) for loss in losses]
    reached = NO_TAGS.union(*needed)
    outputs = [call.result for call in calls]
    if not calls or not all(needed):
        return []
    found: dict[Object, list[Event]] = defaultdict(list)
    for event in run.events(Forward):
        if event.order > replica.wrap.order and is_inside(event, calls):
            for part in objects(event.model, "model"):
                found[part].append(event)
    return [
        events[0]
        for part, events in found.items()
        if part in replica.parts
        and all(_is_dropped(Tag.at(TagKind.FORWARD, event.location), outputs, reached, run.heap) for event in events)
        and records_gradients(events[0].context)
    ]


def _is_dropped(tag: Tag, outputs: Iterable[Value | None], reached: Tags, heap: Heap) -> bool:
    """Whether only some elements of the outputs come from a call, and the losses need others of them, but not those."""
    if tag in reached:
        return False
    for output in outputs:
        if not isinstance(output, (Items, Table)) or output.open:
            return False
        items = output.items if isinstance(output, Items) else [value for _, value in output.items]
        mine = [tag in forward_tags(item, heap) for item in items]
        needed = [bool(forward_tags(item, heap) & reached) for item in items]
        if not any(mine) or all(mine) or not any(use and not own for own, use in zip(mine, needed, strict=True)):
            return False
    return True
