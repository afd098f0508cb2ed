"""Finds changes to the parameters of a model that DDP was already built for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ddl_lint.rulekit import (
    NONE,
    Claim,
    Const,
    Event,
    Evidence,
    Exit,
    Finding,
    Location,
    Object,
    Replica,
    RunView,
    Symbol,
    devices,
    has_parameters,
    is_call_of,
    is_constant,
    is_same_process,
    loops,
    module_children,
    objects,
    objects_in,
    parts_of,
    replicas,
    truth_of,
)
from ddl_lint.rulekit.domain import Parameter
from ddl_lint.rulekit.events import (
    Backward,
    Cast,
    Forward,
    Place,
    RegisterModule,
    RegisterParameter,
    SetTrainable,
    Store,
    WrapModel,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per change."""
    held = module_children(run)
    for replica in replicas(run):
        for event, message, advice in _changes(run, replica, held):
            if not is_same_process(replica.wrap, event):
                continue
            if _is_trained_after(run, replica, event) and not _is_wrapped_again(run, replica, event):
                evidence = Evidence("DDP was built here, for the parameters of that moment", replica.wrap.location)
                yield Finding(message, _call_from_outside(run, event, replica), (evidence,), help=advice)


def _changes(run: RunView, replica: Replica, held: Mapping[Object, list[Object]]) -> Iterator[tuple[Event, str, str]]:
    before = [event for event in run.events(SetTrainable) if event.order < replica.wrap.order]
    later = [event for event in run.events(SetTrainable) if event.order > replica.wrap.order]
    for event in run.events(Store, RegisterModule, RegisterParameter):
        owner = event.operands.get("object", event.operands.get("module"))
        if event.order > replica.wrap.order and owner in _known(replica) and _is_new(event, held):
            message = "parameters added after DDP was built are never averaged"
            yield event, message, "Add the layer before the model is wrapped."
    for event in later:
        trains = event.operands.get("trainable", NONE)
        if not _reaches(event, replica) or _is_undone(event, later, held):
            continue
        if is_constant(trains, False) and _is_part(event, replica) and not _looks_for_unused(replica):
            message = Claim(
                "these parameters are frozen after DDP was built, which still waits for their gradients", "crash"
            )
            yield event, message, "Freeze them before the model is wrapped, or pass `find_unused_parameters=True`."
        elif is_constant(trains, True) and _is_undone(event, before, held):
            message = "these parameters were frozen when DDP was built; their gradients are not averaged"
            yield event, message, "Unfreeze them before the model is wrapped, or wrap it again."
    for event in run.events(Cast, Place):
        changed = objects_in(event.operands.get("object", NONE), deep=False)
        is_late = event.order > replica.wrap.order and any(_is_it(item, replica) for item in changed)
        if is_late and (event.kind == "cast" or _casts(event) or _leaves_device(run, event, replica)):
            message = "this replaces the parameters that DDP was built for; they are no longer averaged"
            yield event, message, "Cast or move the model before it is wrapped."


def _is_it(item: Object, replica: Replica) -> bool:
    """Whether an object is the model, or its wrapper."""
    return item is replica.wrapper or item is replica.model


def _known(replica: Replica) -> frozenset[Object]:
    return frozenset(part for part in replica.parts if part.kind == "model")


def _is_new(event: Event, held: Mapping[Object, list[Object]]) -> bool:
    """Whether a part with parameters is registered."""
    value = event.operands.get("value", event.operands.get("child", event.operands.get("tensor", NONE)))
    made = objects(value, "model", "parameter")
    return bool(made) and all(has_parameters(item, held) for item in made)


def _reaches(event: Event, replica: Replica) -> bool:
    """Whether parameters of the model are frozen or unfrozen."""
    scope = [_scope(item) for item in objects_in(event.operands["object"])]
    return any(item in replica.parts or item is replica.wrapper for item in scope)


def _scope(item: Object) -> Object:
    """The module whose parameters are meant."""
    owner = Parameter(item).model
    return owner if item.kind == "parameter" and isinstance(owner, Object) else item


def _is_part(event: Event, replica: Replica) -> bool:
    """Whether only a part of the model is meant, whatever the circumstances."""
    scope = [_scope(item) for item in objects_in(event.operands["object"])]
    return all(item not in (replica.wrapper, replica.model) for item in scope)


def _is_undone(event: Event, others: Iterable[SetTrainable], held: Mapping[Object, list[Object]]) -> bool:
    """Whether the parameters of an event, or some of them, are, or may be, set to the opposite in one of the others."""
    mine = {part for item in objects_in(event.operands["object"]) for part in parts_of(_scope(item), held)}
    return any(
        _opposes(other, event)
        and any(mine & parts_of(_scope(item), held) for item in objects_in(other.operands["object"]))
        for other in others
    )


def _opposes(other: Event, event: Event) -> bool:
    mine, theirs = (truth_of(each.operands.get("trainable", NONE)) for each in (event, other))
    return theirs is not mine


def _looks_for_unused(replica: Replica) -> bool:
    return any(
        role in replica.wrap.unseen or truth_of(replica.wrap.operands.get(role, Const(False))) is not False
        for role in ("find_unused_parameters", "static_graph")
    )


def _casts(event: Event) -> bool:
    return isinstance(event.operands.get("device"), Symbol)


def _leaves_device(run: RunView, event: Event, replica: Replica) -> bool:
    """Whether a model on a GPU is moved to the CPU."""
    placed = [
        each
        for each in run.events(Place)
        if each.order < replica.wrap.order and replica.model in objects_in(each.operands.get("object", NONE))
    ]
    return bool(placed) and _kinds(placed[-1]) == {"cuda"} and isinstance(event, Place) and _kinds(event) == {"cpu"}


def _kinds(place: Place) -> set[str]:
    return {device.kind for device in devices(place.device)}


def _is_trained_after(run: RunView, replica: Replica, event: Event) -> bool:
    """Whether the wrapper goes on training after a change; what wraps a model anew trains another one."""
    leave = _leave_after(run, event)
    if leave is not None and leave.leaves is None:
        return False
    left = leave.leaves if leave is not None else None
    around = set(loops(event.context if left is None else left)) - {left, *loops(replica.wrap.context)}
    wraps = [each.order for each in run.events(WrapModel) if each.location == replica.wrap.location]
    end = min((order for order in wraps if order > event.order), default=None)

    def is_later(each: Event) -> bool:
        follows = each.order > event.order and (end is None or each.order < end)
        if follows and left is not None:
            follows = all(node is not left for node in each.context.chain())
        return follows or bool(around & set(loops(each.context)))

    calls = [each for each in run.events(Forward) if is_call_of(run, each, replica)]
    return any(map(is_later, calls)) and any(map(is_later, run.events(Backward)))


def _leave_after(run: RunView, event: Event) -> Exit | None:
    """Where the block of a change leaves a loop, a function or the program, so that what comes after it there is for
    models that were not changed.
    """
    own = (leave for leave in run.run.exits if leave.context is event.context and leave.order > event.order)
    return next((leave for leave in own if leave.kind != "continue"), None)


def _is_wrapped_again(run: RunView, replica: Replica, event: Event) -> bool:
    """Whether the model is put into a new wrapper after a change."""
    return any(
        wrap.order > event.order
        and any(item in replica.parts or item is replica.wrapper for item in objects(wrap.model))
        for wrap in run.events(WrapModel)
    )


def _call_from_outside(run: RunView, event: Event, replica: Replica) -> Location:
    """Where the program has the model changed: the change itself, or the call of the helper that makes it.

    A function that was entered before the model was wrapped, or in which the model is trained, is no helper.
    """
    around = set(replica.wrap.context.chain())
    for each in (*run.events(Backward), *run.events(WrapModel)):
        around.update(each.context.chain())
    location = event.location
    for node in event.context.chain():
        if node in around:
            break
        if node.kind == "call":
            location = node.location
    return location
