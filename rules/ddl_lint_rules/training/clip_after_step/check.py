"""Finds gradients that are clipped, or unscaled, after the step that should have used them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Value,
    are_exclusive,
    called_back,
    called_name,
    in_handler,
    loops,
    module_children,
    named,
    objects,
    objects_in,
    parts_of,
    same_iteration,
    trained_models,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.events import Backward, ClipGradients, OptimizerStep, UnscaleGradients, ZeroGradients
from ddl_lint_rules.training.clip_after_step.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that changes gradients too late."""
    for change in run.events(ClipGradients, UnscaleGradients):
        step = _step_before(run, change)
        if step is None:
            continue
        verb = "clipped" if change.kind == "clip_gradients" else "unscaled"
        call, stepping = (
            named("the call", called_name, run, change.location),
            named("step", called_name, run, step.location),
        )
        finding = Finding(
            f"gradients are {verb} after `{stepping}`, too late to affect the step",
            change.location,
            (Evidence("the step that uses the gradients", step.location),),
            help=f"Move `{call}` above `{stepping}`, after the backward pass.",
        )
        yield with_fix(finding, fix, run, change, step)


def _step_before(run: RunView, change: Event) -> Event | None:
    """The step that has used the gradients, where nothing will use them after the change."""
    if in_handler(change) or called_back(change):
        return None
    steps = _same_iteration(change, run.events(OptimizerStep))
    backwards = _same_iteration(change, run.events(Backward))
    before = [step for step in steps if step.order < change.order and _is_made_with(run, change, step)]
    if not before or not backwards or any(step.order > change.order for step in steps):
        return None
    step = before[-1]
    fresh = [each for each in backwards if each.order < step.order and not are_exclusive(each, change)]
    late = [each for each in backwards if each.order > step.order]
    if not fresh or late or not _is_sure(step, change) or not _are_gone(run, change):
        return None
    return step


def _same_iteration(
    event: Event, others: Sequence[Backward | OptimizerStep | ZeroGradients]
) -> list[Backward | OptimizerStep | ZeroGradients]:
    """Those of other events that happen in the same iteration of the innermost loop around an event, and in no inner
    one, or in the same call where there is no loop.
    """
    around = loops(event.context)[:1]
    found = [each for each in same_iteration(event, others) if loops(each.context)[:1] == around]
    return (
        found if around else [each for each in found if each.function is event.function and each.function is not None]
    )


def _is_sure(step: Event, change: Event) -> bool:
    """Whether the step has been made whenever the gradients are changed."""
    around = set(change.context.chain())
    known = {(node.value, node.arm) for node in around if node.kind == "branch" and node.value is not None}
    return not in_handler(step) and all(
        node in around or (node.value is not None and (node.value, node.arm) in known) for node in undecided(step)
    )


def _are_gone(run: RunView, change: Event) -> bool:
    """Whether the gradients are zeroed once in each iteration in which they are changed."""
    return any(_is_sure(zero, change) for zero in _same_iteration(change, run.events(ZeroGradients)))


def _is_made_with(run: RunView, change: Event, step: Event) -> bool:
    """Whether a step is made with the gradients that a call changes."""
    named_optimizers = objects(change.operands.get("optimizer"))
    stepping = objects(step.operands.get("optimizer"), "optimizer")
    if named_optimizers and stepping:
        return set(named_optimizers) == set(stepping)
    owners = _owners(run, change.operands.get("parameters"))
    trained = {part for made in stepping for model in trained_models(made) for part in _parts(run, model)}
    if trained:
        return bool(named_optimizers) or not owners.isdisjoint(trained)
    return len({each.location for each in run.events(OptimizerStep)}) == 1


def _owners(run: RunView, parameters: Value | None) -> set[Object]:
    if parameters is None:
        return set()
    given = (each for part in objects_in(parameters) for each in objects(part.given.get("of", part)))
    return {part for each in given if each.kind == "model" for part in _parts(run, each)}


def _parts(run: RunView, model: Object) -> set[Object]:
    return parts_of(model, module_children(run))
