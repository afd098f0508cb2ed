"""Finds accumulation by hand of gradients that the engine accumulates already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Const,
    Event,
    Evidence,
    Fact,
    Finding,
    Object,
    RunView,
    Setting,
    Value,
    branches,
    called_name,
    engine_events,
    engines,
    is_constant,
    match,
    named,
    parts,
    same_iteration,
    with_fix,
)
from ddl_lint.rulekit.domain import integer
from ddl_lint.rulekit.events import AccumulateByHand, Backward, OptimizerStep
from ddl_lint_rules.training.deepspeed_manual_grad_accum.fix import fix_division, fix_step


def check(run: RunView) -> Iterable[Finding]:
    """One finding per step or backward."""
    for engine in engines(run):
        count = engine.made.given.get("accumulation", NONE)
        if engine.has("accumulates_by_hand") or engine_events(run, engine, AccumulateByHand) or not _is_count(count):
            continue
        evidence = (Evidence("the engine is created here, with accumulation of its own", engine.wrap.location),)
        backwards = engine_events(run, engine, Backward)
        for step in engine_events(run, engine, OptimizerStep):
            if any(_counts(condition, count) for condition in _conditions(step, backwards)):
                call = named("engine.step", called_name, run, step.location)
                finding = Finding(
                    f"`{call}` runs every n-th batch, on top of the engine's own accumulation",
                    step.location,
                    evidence,
                    help=f"Call `{call}()` for every micro-batch; the engine knows when to update the weights.",
                )
                yield with_fix(finding, fix_step, run, step)
        for backward in backwards:
            if _is_divided(run, backward, count):
                call = named("engine.backward", called_name, run, backward.location)
                finding = Finding(
                    "the loss is divided twice; the engine already divides it by the accumulation steps",
                    backward.location,
                    evidence,
                    help=f"Pass the undivided loss to `{call}`.",
                )
                yield with_fix(finding, fix_division, run, backward)


def _is_count(value: Value) -> bool:
    """Whether the configuration surely accumulates: a number above one, or what the user sets it to."""
    if isinstance(value, Const):
        return (integer(value) or 0) > 1
    return isinstance(value, Setting)


def _conditions(step: Event, backwards: list[Backward]) -> Iterator[Value]:
    """The conditions between a step and the loop in each iteration of which there is a backward."""
    for backward in same_iteration(step, backwards):
        shared = set(backward.context.chain())
        yield from (node.value for node in branches(step.context) if node not in shared and node.value is not None)


def _counts(condition: Value, count: Value) -> bool:
    """Whether a condition holds in every n-th iteration."""
    return any((pair := match.modulo(part)) is not None and _may_equal(pair[1], count) for part in parts(condition))


def _may_equal(value: Value, count: Value) -> bool:
    if isinstance(value, Const) and isinstance(count, Const):
        return (integer(value) or 0) > 1
    return isinstance(value, (Const, Setting)) and not is_constant(value, 0, 1)


def _is_divided(run: RunView, backward: Backward, count: Value) -> bool:
    if is_constant(backward.scaled, False):
        return False
    loss = backward.operands.get("loss", NONE)
    made = loss
    if isinstance(loss, Object):
        made = run.heap.get(loss, Fact.COMPUTED) or loss.given.get("computed", NONE)
    divided = match.quotient(made)
    return divided is not None and _is_same(divided[1], count)


def _is_same(divisor: Value, count: Value) -> bool:
    if isinstance(divisor, Const) and isinstance(count, Const):
        return divisor.value == count.value
    return divisor == count
