"""Finds gradients that are changed while an optimizer still averages them, and gradients that it averages twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Shared,
    Value,
    averaging,
    called_name,
    contradicts,
    excludes,
    in_handler,
    is_constant,
    loops,
    named,
    objects,
    parts,
    undecided,
    with_contexts,
    with_fix,
    without_fix,
    wrapped_by,
    wrappings,
)
from ddl_lint.rulekit.domain import Parameter
from ddl_lint.rulekit.events import Backward, ClipGradients, OptimizerStep, Prepare, UnscaleGradients, Wait
from ddl_lint_rules.training.hvd_clip_synchronize.fix import optimizer_of, step_alone, wait_before

_CHANGES = (ClipGradients, UnscaleGradients)
_OBSOLETE = "synchronize"


def publish(run: RunView) -> Iterator[tuple[Location, str | None]]:
    """The optimizers that step at a place."""
    for event in run.events(OptimizerStep):
        for made in objects(event.optimizer):
            yield event.location, made.api


def join(finding: Finding, shared: Shared[tuple[Location, str | None]]) -> Finding | None:
    """The fix calls what only a wrapped optimizer has: no other program may step with a plain one there."""
    apis = {api for place, api in shared.own if place == finding.about}
    if any(place == finding.about and api not in apis for place, api in shared.file):
        return without_fix(finding, "the optimizer is not wrapped in every run of the program")
    return finding


def check(run: RunView) -> Iterable[Finding]:
    """One finding per step, at the call that comes too early or the step itself."""
    seen: set[Location] = set()
    waiting = {made for wrap in wrappings(run) for made in averaging(wrap.result) if _waits(wrap)}
    for step in run.events(OptimizerStep) if waiting else ():
        stepped = objects(step.optimizer)
        if not stepped or any(made not in waiting for made in stepped) or in_handler(step):
            continue
        for finding in _judge(run, step, stepped):
            if finding.location not in seen:
                seen.add(finding.location)
                yield finding


def _waits(wrap: Prepare) -> bool:
    """Whether the optimizer can wait for its averages before the step."""
    early = any(made.traits.get("averages_early") for made in averaging(wrap.result))
    return early and not is_constant(wrap.reduction, "adasum")


def _judge(run: RunView, step: Event, optimizers: list[Object]) -> Iterator[Finding]:
    call, optimizer = named("step", called_name, run, step.location), named("optimizer", optimizer_of, run, step)
    advice = f"Write `with {optimizer}.skip_synchronize(): {call}()`."
    if _OBSOLETE in step.surplus:
        finding = Finding(
            f"`{call}` has no argument `{_OBSOLETE}`; `skip_synchronize()` replaces it",
            step.location,
            about=step.location,
            help=advice,
            consequence="crash",
        )
        yield with_fix(finding, step_alone, run, optimizers[0], step, _OBSOLETE)
        return
    since = max((each.order for each in run.events(Backward) if each.order < step.order), default=None)
    if since is None:
        return
    waits = [each for each in run.events(Wait) if since < each.order < step.order and _is_of(each, optimizers)]
    skips = any(set(objects(context.given.get("waited"))) & set(optimizers) for context in with_contexts(step.context))
    if waits and not skips and not _apart(waits[-1], step) and _is_sure(waits[-1], step):
        finding = Finding(
            f"`{call}` averages gradients again that `synchronize()` has averaged already",
            step.location,
            (Evidence("the averages are complete here", waits[-1].location),),
            help=advice,
            about=step.location,
            consequence="wasted-work",
        )
        yield with_fix(finding, step_alone, run, optimizers[0], step)
    if waits or skips:
        return
    changes = [
        change
        for change in run.events(*_CHANGES)
        if since < change.order < step.order and _concerns(run, change, optimizers) and not _apart(change, step)
    ]
    for change in changes:
        call = named("the call", called_name, run, change.location)
        finding = Finding(
            f"`{call}` changes gradients that are still being averaged over the ranks",
            change.location,
            (Evidence("only this step waits for the averages", step.location),),
            help=f"Call `{optimizer}.synchronize()` before `{call}`, and step inside `{optimizer}.skip_synchronize()`.",
        )
        yield with_fix(finding, wait_before, run, optimizers[0], changes[0], step)


def _is_of(wait: Wait, optimizers: list[Object]) -> bool:
    return bool(set(objects(wait.handle)) & set(optimizers))


def _apart(first: Event, second: Event) -> bool:
    """Whether two events do not belong to one iteration of a loop."""
    around = loops(second.context)
    apart = bool(around) and around[0] not in loops(first.context)
    return apart or excludes(first.context, second.context) or contradicts(first.context, second.context)


def _is_sure(wait: Event, step: Event) -> bool:
    """Whether something happens before each step, not only where a condition holds."""
    around = set(step.context.chain())
    return all(node in around or node.value in {each.value for each in around} for node in undecided(wait))


def _concerns(run: RunView, change: Event, optimizers: list[Object]) -> bool:
    """Whether the gradients that a call changes are those of the optimizer."""
    given = objects(change.operands.get("optimizer"))
    if given:
        return all(made in optimizers for made in given)
    if all(set(objects(each.optimizer)) <= set(optimizers) for each in run.events(OptimizerStep)):
        return True
    owned = _models(change.operands.get("parameters"))
    return bool(owned) and owned <= {
        model
        for wrap in wrappings(run)
        if set(averaging(wrap.result)) & set(optimizers)
        for inner in wrapped_by(wrap)
        for model in _models(inner.given.get("parameters"))
    }


def _models(parameters: Value | None) -> set[Object]:
    """The models that parameters belong to."""
    if parameters is None:
        return set()
    return {
        of for part in parts(parameters) if isinstance(part, Object) for of in objects(Parameter(part).model, "model")
    }
