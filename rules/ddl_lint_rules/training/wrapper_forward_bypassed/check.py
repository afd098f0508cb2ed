"""Finds training steps that run the model inside a DDP wrapper, so that no gradient is averaged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile

from ddl_lint.rulekit import (
    RANK_TAGS,
    Alternatives,
    Apply,
    Context,
    Event,
    Evidence,
    Exit,
    Finding,
    Location,
    Object,
    Replica,
    RunView,
    averages_by_hand,
    branches,
    called_name,
    calls_in_step,
    code,
    excludes,
    forwards_behind,
    is_call_of,
    is_inside,
    is_same_process,
    loops,
    module_children,
    named,
    objects,
    parts,
    parts_of,
    replicas,
    result_name,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.events import Backward, Forward, OptimizerStep, RebindModel, RegisterForward, WrapModel
from ddl_lint_rules.training.wrapper_forward_bypassed.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place where the inner model is run."""
    yield from _beside_shards(run)
    if not run.has(OptimizerStep):
        return
    yield from _in_later_iterations(run)
    last = max(event.order for event in run.events(OptimizerStep))
    for backward in run.events(Backward):
        if backward.order > last:
            continue  # its gradients are looked at, and nothing learns from them
        for replica in replicas(run):
            bypass = _bypass(run, backward, replica)
            if bypass is not None:
                location = _call_from_outside(bypass, replica)
                call = named("the call", called_name, run, location)
                finding = Finding(
                    f"`{call}` bypasses the DDP wrapper, so the gradients of this step are not averaged",
                    location,
                    (
                        *(
                            [Evidence("the inner model runs here", bypass.location)]
                            if location != bypass.location
                            else []
                        ),
                        Evidence("the model is wrapped here", replica.wrap.location),
                        Evidence("this backward does not average gradients", backward.location),
                    ),
                    help=f"Call the wrapper itself{_by_name(run, replica)}; let `forward` choose what to run.",
                )
                yield with_fix(finding, fix, run, replica, location, bypass)


def _by_name(run: RunView, replica: Replica) -> str:
    name = named("", result_name, run, replica.wrap.location)
    return f", `{name}(...)`" if name else ""


def _beside_shards(run: RunView) -> Iterator[Finding]:
    """Methods of models that are sharded in place: only the forward gathers their parameters."""
    sharded = {
        model: wrap
        for wrap in run.events(WrapModel)
        if wrap.traits.get("wrapper") == "fsdp2"
        for model in objects(wrap.model, "model")
    }
    if not sharded:
        return
    held = module_children(run)
    registered = {model for event in run.events(RegisterForward) for model in objects(event.model)}
    gathering = [each for each in run.events(Forward) if not sharded.keys().isdisjoint(_called(each))]
    for model, wrap in sharded.items():
        methods = set(_methods(model))
        inner = (parts_of(each, held) for each in sharded if each is not model and each in parts_of(model, held))
        own = parts_of(model, held).difference({model}, *inner)
        if model in registered or not methods:
            continue
        for backward in run.events(Backward):
            for forward in forwards_behind(run, backward.loss, backward):
                call = next((node for node in forward.context.chain() if node.function in methods), None)
                is_own = wrap.order < forward.order and any(part in own for part in _called(forward))
                if call is not None and is_own and not is_inside(forward, gathering):
                    name = named("the call", called_name, run, call.location)
                    finding = Finding(
                        f"`{name}` uses sharded parameters; they are gathered for `forward` only",
                        call.location,
                        (Evidence("the model is sharded here", wrap.location),),
                        help="Register the method with `register_fsdp_forward_method`, or let `forward` call it.",
                        consequence="crash",
                    )
                    yield replace(finding, unfixable="the method has to be registered, or `forward` has to call it")
                    return


def _in_later_iterations(run: RunView) -> Iterator[Finding]:
    """Names of the wrapper that a loop trains which are the inner model in its next iteration."""
    for rebind in run.events(RebindModel):
        for replica in replicas(run):
            backward = _trained_before(run, rebind, replica)
            if backward is not None:
                finding = Finding(
                    "this rebinds the wrapper's name to the inner model; later iterations do not average gradients",
                    rebind.location,
                    (
                        Evidence("the model is wrapped here", replica.wrap.location),
                        Evidence(
                            "this backward does not average gradients from the second iteration on", backward.location
                        ),
                    ),
                    help="Give the inner model a name of its own.",
                )
                yield replace(finding, unfixable="cannot tell what name the inner model should have")
                break


def _trained_before(run: RunView, rebind: RebindModel, replica: Replica) -> Backward | None:
    """The backward of the wrapper to which a loop comes back after its name was rebound to the inner model."""
    if replica.wrapper not in objects(rebind.object) or rebind.other != replica.model:
        return None
    for loop in loops(rebind.context):
        if loop in replica.wrap.context.chain() or not _comes_back(run, rebind, replica, loop):
            continue
        for backward in run.events(Backward):
            if (
                loop in loops(backward.context)
                and backward.order < rebind.order
                and any(loop in loops(forward.context) for forward in calls_in_step(run, replica, backward))
                and not averages_by_hand(run, backward)
            ):
                return backward
    return None


def _comes_back(run: RunView, rebind: Event, replica: Replica, loop: Context) -> bool:
    """Whether the loop surely goes on after the name was rebound, and nothing in it rebinds the name to the wrapper."""
    between = takewhile(lambda node: node is not loop, rebind.context.chain())
    if any(node.kind == "call" or _may_be_last(node, replica) for node in between):
        return False  # the name in a function that is called in the loop is another one
    if any(
        replica.wrapper in objects(other.other) and loop in other.context.chain() for other in run.events(RebindModel)
    ):
        return False
    return not any(
        leave.order >= rebind.order and _leaves(leave, loop) and not excludes(leave.context, rebind.context)
        for leave in run.run.exits
    )


def _leaves(leave: Exit, loop: Context) -> bool:
    """Whether a loop does not go on after an early exit; what raises may be caught, and is no end of the training."""
    if loop not in leave.context.chain() or leave.kind in ("continue", "raise"):
        return False
    return leave.leaves is None or leave.leaves in loop.chain()


def _may_be_last(node: Context, replica: Replica) -> bool:
    """Whether code may be for one iteration of a loop only: a condition may ask for the last. One on the rank, or on
    what decides that there is a wrapper, does not, and "every n iterations" comes again.
    """
    if node.kind != "branch" or node.assumed or node.value is None:
        return node.kind in ("handler", "callback")
    known = {outer.value for outer in branches(replica.wrap.context)}
    asked = {node.value}
    if isinstance(node.value, Alternatives):
        asked = {condition for labels, _ in node.value.options for condition, _ in labels}
    comes_again = any(isinstance(part, Apply) and part.operator == "%" for part in parts(node.value))
    return not ((asked and asked <= known) or comes_again or tags_of(node.value) & RANK_TAGS)


def _called(forward: Forward) -> list[Object]:
    return objects(forward.model, "model")


def _meet(wrap: Event, event: Event) -> bool:
    """Whether one process may come to both: programs start themselves in one of two ways, with a wrapper or without."""
    return is_same_process(wrap, event)


def _bypass(run: RunView, backward: Backward, replica: Replica) -> Forward | None:
    """The first run of the inner model, or a part of it, that a backward goes back through beside the wrapper."""
    forwards = forwards_behind(run, backward.loss, backward)
    found = [
        forward
        for forward in forwards
        if forward.order > replica.wrap.order
        and _meet(replica.wrap, forward)
        and replica.wrapper is not replica.model
        and any(model in replica.parts for model in objects(forward.model, "model"))
    ]
    related = [other for other in replicas(run) if other.model in replica.parts or replica.model in other.parts]
    if not found or averages_by_hand(run, backward) or any(calls_in_step(run, other, backward) for other in related):
        return None
    wrapped = [event for event in run.events(Forward) if any(is_call_of(run, event, other) for other in related)]
    return next((forward for forward in found if not is_inside(forward, wrapped)), None)


def _call_from_outside(bypass: Event, replica: Replica) -> Location:
    """Where the program chooses the inner model: its forward, the method in which a part of it is run, or the call that
    hands it to a helper.
    """
    location = bypass.location
    methods = {function for part in replica.parts for function in _methods(part)}
    before = set(replica.wrap.context.chain())
    for node in bypass.context.chain():
        if node in before:
            break  # a function that wraps the model itself may well be given the inner one
        if node.kind == "call" and (node.function in methods or any(each in replica.parts for each in node.given)):
            location = node.location
    return location


def _methods(part: Object) -> Iterable[code.Function]:
    if part.definition is None:
        return ()
    return (each for each in part.definition.definition.body if isinstance(each, code.Function))
