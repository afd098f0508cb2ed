"""Finds gradients that the program accumulates by hand although its trainer does so already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ddl_lint.rulekit import (
    NONE,
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Setting,
    Severity,
    Unknown,
    Value,
    by_default,
    called_name,
    contents,
    is_absent,
    is_constant,
    loops,
    match,
    named,
    objects,
    parts,
    with_fix,
)
from ddl_lint.rulekit.domain import integer
from ddl_lint.rulekit.events import Backward, Delegate, OptimizerStep, SkipSynchronization
from ddl_lint_rules.training.accelerate_manual_grad_accum.fix import fix_division, fix_step

_REASON = "what must move into `accumulate()` depends on what else the loop does once per step"
_ONE = "the option is 1 by default, and no launch sets it"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per trainer and kind of mistake."""
    if not run.is_script:
        return
    if run.has(SkipSynchronization):
        return
    for made in run.events(Delegate):
        steps = made.accumulates
        if steps is None or not _is_several(steps):
            continue
        switched_on = Evidence("accumulation is switched on here", made.location)
        for message, help_, event in _faults(run, made, steps):
            finding = Finding(message, event.location, (switched_on,), help=help_)
            if is_constant(by_default(run, steps), 1):
                finding = replace(finding, severity=Severity.INFO, doubt=_ONE)
            if event.kind == "backward":
                yield with_fix(finding, fix_division, run, event)
            elif _holds_back(event):
                yield with_fix(finding, fix_step, run, event)
            else:
                yield replace(finding, unfixable=_REASON)


def _is_several(steps: Value) -> bool:
    """Whether a trainer accumulates over more than one batch, or over as many as the user sets."""
    if isinstance(steps, Const):
        return (integer(steps) or 0) > 1
    return isinstance(steps, (Setting, Unknown))


def _faults(run: RunView, made: Event, steps: Value) -> Iterator[tuple[str, str, Backward | OptimizerStep]]:
    known = [steps, *(value for trainer in objects(made.result) for value in _attributes(trainer))]
    divided = next((event for event in run.events(Backward) if _is_divided(run, event, known)), None)
    if divided is not None:
        call = named("accelerator.backward", called_name, run, divided.location)
        yield (
            f"the loss is divided twice; `{call}` already divides it by the accumulation steps",
            f"Pass the undivided loss to `{call}`.",
            divided,
        )
    inside = [event for event in run.events(OptimizerStep) if _holds_back(event)]
    counted = next((event for event in inside if _is_counted(event, known)), None)
    if counted is not None:
        call = named("optimizer.step", called_name, run, counted.location)
        yield (
            f"`{call}` is called every n-th batch, but the context already skips steps by itself",
            f"Call `{call}()` for every batch; the prepared optimizer skips the steps in between.",
            counted,
        )
    elif not inside and divided is None and is_absent(made, "engine") and not isinstance(steps, Unknown):
        # What a configuration of which nothing is known says may be one: then each batch is a step.
        step = next((event for event in run.events(OptimizerStep) if _is_each_time(run, event)), None)
        if step is not None:
            call = named("optimizer.step", called_name, run, step.location)
            yield (
                f"`{call}` runs on every batch, with gradients scaled for several batches",
                "Put the body of the training loop inside `with accelerator.accumulate(model):`.",
                step,
            )


def _attributes(trainer: Object) -> Iterator[Value]:
    """What the trainer says about itself that is neither a rank nor a number of processes."""
    yield from (
        value for name, value in trainer.given.items() if name.startswith("attribute:") and isinstance(value, Unknown)
    )


def _is_divided(run: RunView, event: Backward, steps: list[Value]) -> bool:
    """Whether a trainer's backward gets a loss that was divided by the number of batches."""
    if event.scaled is None:
        return False
    found = list(contents(event.operands.get("loss", NONE), run.heap))
    if any(side in steps for part in found for side in match.product(part) or ()):
        return False
    return any((pair := match.quotient(part)) is not None and pair[1] in steps for part in found)


def _holds_back(event: Event) -> bool:
    """Whether something happens inside a context that accumulates, or may do so."""
    return any(
        isinstance(part, Unknown) or (isinstance(part, Object) and part.traits.get("holds_back"))
        for node in event.context.chain()
        if node.kind == "with" and node.value is not None
        for part in parts(node.value)
    )


def _is_counted(event: Event, steps: list[Value]) -> bool:
    """Whether something happens every so many batches: a constant, or the trainer's own number."""
    return any(
        (pair := match.modulo(part)) is not None and _is_number(pair[1], steps)
        for node in _inside_loop(event)
        if node.value is not None
        for part in parts(node.value)
    )


def _is_number(value: Value, steps: list[Value]) -> bool:
    return isinstance(value, Const) or value in steps


def _inside_loop(event: Event) -> Iterator[Context]:
    """The conditions around an event in its innermost loop."""
    for node in event.context.chain():
        if node.kind == "loop":
            return
        if node.kind == "branch" and not node.assumed:
            yield node


def _is_each_time(run: RunView, event: Event) -> bool:
    """Whether a step is made in each iteration of a loop, after a backward of the same iteration."""
    around = loops(event.context)[:1]
    if not around or any(True for _ in _inside_loop(event)):
        return False
    return any(
        other.order < event.order and other.scaled is not None and loops(other.context)[:1] == around
        for other in run.events(Backward)
    )
