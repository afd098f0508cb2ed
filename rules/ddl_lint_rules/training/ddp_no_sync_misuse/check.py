"""Finds `no_sync()` around every backward, so that nothing is averaged, or around a backward without its forward."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Replica,
    RunView,
    Severity,
    averages_by_hand,
    conditions,
    forwards_behind,
    is_call_of,
    is_constant,
    is_held_back,
    loops,
    may_be_held_back,
    replicas,
)
from ddl_lint.rulekit.events import Backward, Forward, OptimizerStep, SkipSynchronization, Store


def check(run: RunView) -> Iterable[Finding]:
    """One finding per `with`, or per assignment of the switch that such a `with` uses."""
    for replica in replicas(run):
        if run.has(SkipSynchronization):
            yield from _judge(run, replica)
        if run.has(Store):
            yield from _switched_late(run, replica)


def _switched_late(run: RunView, replica: Replica) -> Iterator[Finding]:
    """Where the switch is set between a forward and its backward, though only the forward reads it."""
    switch = replica.wrapper.traits.get("sync_switch")
    stores = [each for each in run.events(Store) if _sets(each, replica, switch)]
    forwards = [each for each in run.events(Forward) if is_call_of(run, each, replica)]
    for store in stores:
        around = loops(store.context)[:1]
        before = [each for each in forwards if each.order < store.order and loops(each.context)[:1] == around]
        behind = next((each for each in run.events(Backward) if each.order > store.order), None)
        if not around or not before or behind is None or loops(behind.context)[:1] != around:
            continue
        is_set_first = any(each.order < before[-1].order and each is not store for each in stores)
        is_read_later = any(store.order < each.order < behind.order for each in forwards)
        if not is_set_first and not is_read_later and not isinstance(store.value, Const):
            yield Finding(
                f"`{switch}` is set after the forward that reads it, so the last micro-step is not averaged",
                store.location,
                (Evidence("the forward decides whether its backward averages gradients", before[-1].location),),
                help=f"Set `{switch}` before the forward.",
                severity=Severity.ERROR,
            )
            return


def _sets(store: Store, replica: Replica, switch: object) -> bool:
    return store.object == replica.wrapper and is_constant(store.name, switch)


def _judge(run: RunView, replica: Replica) -> Iterator[Finding]:
    held: list[tuple[Event, Context]] = []
    synchronised = False
    for backward in run.events(Backward):
        forwards = forwards_behind(run, backward.loss, backward)
        calls = [forward for forward in forwards if is_call_of(run, forward, replica)]
        around = is_held_back(run, backward, replica)
        if around is None:
            synchronised = synchronised or bool(calls) or not forwards
            around = may_be_held_back(run, backward, replica)
            if around is not None and calls and not any(around in call.context.chain() for call in calls):
                yield _forward_outside(around, calls[-1])
        elif any(is_held_back(run, call, replica) for call in calls):
            held.append((backward, around))
        elif calls:
            synchronised = True
            yield _forward_outside(around, calls[-1])
        else:
            synchronised = True  # where the loss comes from is unknown
    if synchronised or run.exhausted:
        return
    for backward, around in held:
        step = _step_after(run, backward, around)
        if step is not None and not averages_by_hand(run, backward):
            yield Finding(
                "every backward runs inside `no_sync()`, so gradients are never averaged",
                around.location,
                (Evidence("the optimizer steps here, with the gradients of its own rank", step.location),),
                severity=Severity.ERROR,
                help="Run the last micro-step before each optimizer step outside of `no_sync()`.",
            )
            return


def _forward_outside(around: Context, call: Event) -> Finding:
    return Finding(
        "the forward runs outside of `no_sync()`, so gradients are averaged anyway",
        around.location,
        (Evidence("this forward decides whether gradients are averaged", call.location),),
        help="Move the forward into the `no_sync()` block, together with its backward.",
        consequence="wasted-work",
    )


def _step_after(run: RunView, backward: Event, around: Context) -> Event | None:
    """A step of an optimizer with the gradients of a backward, which nothing but the `no_sync()` has to do with."""
    guards = {id(node) for node in around.chain() if node.kind == "branch" and not node.assumed}
    outer = [node for node in around.chain() if node.kind == "loop"]
    for step in run.events(OptimizerStep):
        is_same_loop = not outer or bool(set(outer) & set(loops(step.context)))
        if step.order > backward.order and is_same_loop and guards <= conditions(step) | _outside(around, step):
            return step
    return None


def _outside(around: Context, step: Event) -> set[int]:
    """The circumstances that a `with` shares with an event."""
    chain = {id(node) for node in step.context.chain()}
    return {id(node) for node in around.chain() if id(node) in chain}
