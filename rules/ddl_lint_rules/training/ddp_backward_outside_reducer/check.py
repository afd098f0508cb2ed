"""Finds gradients that the reducer of DDP does not see, or sees twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    Replica,
    RunView,
    Tag,
    TagKind,
    averages_by_hand,
    called_name,
    contradicts,
    excludes,
    forwards_behind,
    is_call_of,
    is_constant,
    is_held_back,
    is_inside,
    is_only_call,
    loops,
    may_hold_gradients,
    named,
    objects_in,
    replicas,
    tags_of,
    truth_of,
    with_fix,
)
from ddl_lint.rulekit.domain import Parameter
from ddl_lint.rulekit.events import (
    Backward,
    ChangeParameters,
    Collective,
    Communicate,
    ComputeGradients,
    Forward,
    OptimizerStep,
    Recompute,
    SetGradient,
    Unfollowed,
    ZeroGradients,
)
from ddl_lint_rules.training.ddp_backward_outside_reducer.fix import fix_checkpoint, fix_gradients, fix_second


def check(run: RunView) -> Iterable[Finding]:
    """One finding per backward, gradient or checkpoint."""
    for replica in replicas(run):
        if truth_of(replica.wrap.operands.get("static_graph", Const(False))) is False:
            yield from _second_backwards(run, replica)
            yield from _checkpoints(run, replica)
        yield from _gradients(run, replica)


def _second_backwards(run: RunView, replica: Replica) -> Iterator[Finding]:
    first: dict[Event, Event] = {}
    for backward in run.events(Backward):
        call = _only_forward_of(run, backward, replica)
        if call is None or is_held_back(run, backward, replica) is not None or _is_one_of_many(call, backward):
            continue
        again = _is_repeated(backward, call)
        before = first.setdefault(call, backward)
        if before is backward and not again:
            continue
        if before is not backward and (
            _is_same_call(before, backward)
            or excludes(before.context, backward.context)
            or _has_ended(run, before, backward)
        ):
            continue
        finding = Finding(
            "DDP averages in the first backward only; what this second one adds stays on its rank",
            backward.location,
            (
                Evidence("the forward of both backwards", call.location),
                *([Evidence("the first backward", before.location)] if before is not backward else []),
            ),
            help="Add the losses up and call `backward()` once, or run the earlier backward under `no_sync()`.",
        )
        yield with_fix(finding, fix_second, run)
        return


def _only_forward_of(run: RunView, backward: Backward, replica: Replica) -> Forward | None:
    """The one call of a wrapper that a backward goes back through."""
    forwards = forwards_behind(run, backward.loss, backward)
    calls = [forward for forward in forwards if is_call_of(run, forward, replica)]
    return calls[0] if len(calls) == 1 and is_only_call(run, calls[0]) else None


def _is_one_of_many(call: Event, backward: Event) -> bool:
    """Whether the forward is run in each iteration of a loop that is over at the backward: each has a loss."""
    return any(loop not in loops(backward.context) for loop in loops(call.context))


def _is_same_call(first: Event, second: Event) -> bool:
    """Whether two events are one call: a loss that is one of several values gives an event for each."""
    return first.location == second.location and _calls_and_loops(first) == _calls_and_loops(second)


def _calls_and_loops(event: Event) -> list[int]:
    return [id(node) for node in event.context.chain() if node.kind != "branch"]


def _is_repeated(backward: Event, call: Event) -> bool:
    """Whether a loop goes through one forward again and again: the losses of one output, one by one."""
    own = [loop for loop in loops(backward.context) if loop not in loops(call.context)]
    return bool(own) and not any(loop.breaks for loop in own)


def _has_ended(run: RunView, first: Event, second: Event) -> bool:
    """Whether a step lies between two backwards: they belong to different ones."""
    between = run.events(OptimizerStep, ZeroGradients)
    return any(first.order < event.order < second.order for event in between)


def _gradients(run: RunView, replica: Replica) -> Iterator[Finding]:
    for event in run.events(ComputeGradients):
        calls = [each for each in forwards_behind(run, event.outputs, event) if is_call_of(run, each, replica)]
        wanted = objects_in(event.operands.get("inputs", NONE))
        own = [item for item in wanted if item.kind == "parameter" and _is_of(Parameter(item).model, replica)]
        applied = [
            each
            for each in run.events(SetGradient, ChangeParameters)
            if each.order > event.order
            and (
                each.kind == "set_gradient"
                or Tag.at(TagKind.GRADIENT, event.location) in tags_of(each.operands.get("value", NONE))
            )
            and any(_is_of(_owner(item), replica) for item in objects_in(each.operands["object"]))
        ]
        if calls and own and applied and not _is_reduced(run, event, applied[-1]):
            call = named("autograd.grad", called_name, run, event.location)
            finding = Finding(
                f"DDP averages only in `backward()`; gradients from `{call}` stay on their rank",
                event.location,
                (Evidence("the gradients are put to use here", applied[0].location),),
                help="Use `backward()` on the loss, or `all_reduce` the gradients and divide them by the world size.",
            )
            yield with_fix(finding, fix_gradients, run)


def _owner(item: Object) -> object:
    """The module that a parameter belongs to; a module is its own."""
    return item if item.kind == "model" else Parameter(item).model


def _is_of(owner: object, replica: Replica) -> bool:
    return owner is replica.wrapper or owner in replica.parts


def _is_reduced(run: RunView, event: Event, applied: Event) -> bool:
    return averages_by_hand(run, event) or any(
        each.order > event.order and may_hold_gradients(run, each)
        for each in run.events(Collective, Communicate, Unfollowed)
    )


def _checkpoints(run: RunView, replica: Replica) -> Iterator[Finding]:
    if truth_of(replica.wrap.operands.get("find_unused_parameters", Const(False))) is not True:
        return
    calls = [each for each in run.events(Forward) if is_call_of(run, each, replica)]
    for event in run.events(Recompute):
        if contradicts(event.context, replica.wrap.context):
            continue
        if is_constant(event.reentrant, True) and is_inside(event, calls):
            finding = Finding(
                "a reentrant checkpoint under `find_unused_parameters=True` marks parameters ready twice",
                event.location,
                (Evidence("the model is wrapped here, with `find_unused_parameters=True`", replica.wrap.location),),
                help=f"Pass `use_reentrant=False` to `{named('checkpoint', called_name, run, event.location)}`.",
                consequence="crash",
            )
            yield with_fix(finding, fix_checkpoint, run, event)
            return
