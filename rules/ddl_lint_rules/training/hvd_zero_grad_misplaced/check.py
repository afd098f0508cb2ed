"""Finds gradients that are cleared while the ranks are still averaging them."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    called_name,
    contradicts,
    forwards_behind,
    loops,
    named,
    objects,
    trained_models,
    with_fix,
)
from ddl_lint.rulekit.events import BuildOptimizer, ZeroGradients
from ddl_lint_rules.training.hvd_zero_grad_misplaced.fix import clear_elsewhere, without_arguments


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that clears."""
    for clear in run.events(ZeroGradients):
        optimizers = objects(clear.optimizer)
        if not optimizers or not all(made.traits.get("averages_early") for made in optimizers):
            continue
        call = named("zero_grad", called_name, run, clear.location)
        if clear.surplus:
            names = ", ".join(sorted(clear.surplus))
            message = f"`{call}` of a Horovod optimizer takes no `{names}`"
            yield with_fix(
                Finding(message, clear.location, help=f"Call `{call}()` without arguments."),
                without_arguments,
                run,
                clear,
            )
            continue
        backward = _backward_before(run, clear)
        if backward is not None:
            finding = Finding(
                f"`{call}` runs while the ranks still average the gradients",
                clear.location,
                (Evidence("this backward starts to average the gradients", backward.location),),
                help=f"Move `{call}()` before the backward or after the step.",
            )
            yield with_fix(finding, clear_elsewhere, run, backward, clear)


def _backward_before(run: RunView, clear: ZeroGradients) -> Event | None:
    """The backward of the same iteration whose gradients are still in flight when they are cleared."""
    cleared = objects(clear.optimizer)
    around = loops(clear.context)[:1]
    for event in reversed(run.all_events[: run.all_events.index(clear)]):
        if around and around[0] not in loops(event.context):
            return None
        if event.kind in ("optimizer_step", "wait"):
            return None
        if event.kind in ("unfollowed", "escape", "delegate"):
            return None
        if event.kind == "backward" and not contradicts(event.context, clear.context):
            return event if _is_for(run, event, cleared) else None
    return None


def _is_for(run: RunView, backward: Event, cleared: list[Object]) -> bool:
    """Whether a backward surely computes gradients for one of these optimizers."""
    every = {made for event in run.events(BuildOptimizer) for made in objects(event.result)}
    if len(every) == 1 and len(cleared) == 1:
        return True
    calls = forwards_behind(run, backward.operands.get("loss"), backward)
    called = {made for call in calls for made in objects(call.model, "model")}
    trained = [trained_models(optimizer) for optimizer in cleared]
    return bool(called) and all(models and models <= called for models in trained)
