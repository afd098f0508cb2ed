"""Finds steps of optimizers and schedulers that only some of the ranks make, though all train copies of one model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    averaging,
    beside_callers,
    called_back,
    called_name,
    in_handler,
    is_constant,
    is_kept_out,
    is_model_parallel,
    is_rank_guarded,
    job,
    loops,
    named,
    objects,
    passes,
    rank_guards,
    replicas,
    trained_models,
)
from ddl_lint.rulekit.domain import Model, Trained
from ddl_lint.rulekit.events import (
    Backward,
    BuildScheduler,
    ChangeParameters,
    Collective,
    Forward,
    LoadState,
    OptimizerStep,
    SchedulerStep,
    SetGroup,
)

_STEPPED = {"optimizer_step": "optimizer", "scheduler_step": "scheduler"}
_PARTS = {"optimizer_step": "the weights", "scheduler_step": "the learning rates"}
_JOB = job(2, 2)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per step."""
    if is_model_parallel(run) or run.exhausted:
        return
    for event in run.events(OptimizerStep, SchedulerStep):
        if not _is_for_some(event) or in_handler(event):
            continue
        role = _STEPPED[event.kind]
        stepped = objects(event.operands.get(role))
        if len(stepped) == 1 and _trains_copies(run, event, stepped[0]) and not _is_made_up_for(run, event, stepped[0]):
            guard = rank_guards(event.context)[-1]
            call = named(f"{role}.step", called_name, run, event.location)
            yield Finding(
                f"only some ranks call `{call}`, so {_PARTS[event.kind]} of the ranks diverge",
                event.location,
                (Evidence("this guard keeps the other ranks out", guard.location), *beside_callers(run, event)),
                help=f"Move `{call}()` out of the guard, so that all ranks make the step.",
            )


def _is_for_some(event: Event) -> bool:
    """Whether some ranks surely make a step by themselves, and others surely not."""
    return (
        event.collective_when is None
        and is_rank_guarded(event)
        and not called_back(event)
        and any(passes(event, process) for process in _JOB)
        and any(is_kept_out(event, process) for process in _JOB)
    )


def _trains_copies(run: RunView, event: Event, stepped: Object) -> bool:
    """Whether what is stepped trains, in a loop with the step, a model of which each rank has a copy that the others
    keep up with.
    """
    optimizers = [stepped] if event.kind == "optimizer_step" else list(_scheduled(run, stepped))
    if not optimizers or not loops(event.context):
        return False
    trains = any(
        set(loops(event.context)) & set(loops(backward.context)) and not _is_for_same(backward, event)
        for backward in run.events(Backward)
    )
    return trains and all(_is_of_copies(run, optimizer) for optimizer in optimizers)


def _scheduled(run: RunView, scheduler: Object) -> Iterator[Object]:
    """The optimizers whose learning rate a scheduler sets."""
    for built in run.events(BuildScheduler):
        if scheduler in objects(built.result):
            yield from objects(built.operands.get("optimizer", NONE))


def _is_of_copies(run: RunView, optimizer: Object) -> bool:
    if averaging(optimizer):
        return True
    trained = trained_models(optimizer)
    prepared = set(_prepared(run))
    return bool(trained) and all(
        model in prepared or any(model is replica.wrapper or model in replica.parts for replica in replicas(run))
        for model in trained
    )


def _prepared(run: RunView) -> Iterator[Object]:
    """The models that are called in the wrapper of a trainer, which keeps the copies equal, and these wrappers."""
    for event in run.events(Forward):
        for made in objects(event.model, "model"):
            if Trained(made).is_prepared and Trained(made).averages_gradients:
                yield from (made, *objects(Model(made).inner, "model"))


def _is_made_up_for(run: RunView, event: Event, stepped: Object) -> bool:
    """Whether the other ranks may step as well, elsewhere, or receive the result of the step."""
    others = (other for other in run.events(event.kind) if other is not event and not _is_for_same(other, event))
    if any(
        stepped in objects(other.operands.get(_STEPPED[event.kind])) or other.location == event.location
        for other in others
    ):
        return True
    if any(other.order > event.order for other in run.events(SetGroup, ChangeParameters, LoadState)):
        return True
    return any(
        other.order > event.order
        and not is_constant(other.operation, "all_reduce")
        and not is_constant(other.operation, "barrier")
        for other in run.events(Collective)
        if loops(other.context)
    )


def _is_for_same(other: Event, event: Event) -> bool:
    """Whether two steps are kept from the same ranks."""
    return all(is_kept_out(other, process) for process in _JOB if is_kept_out(event, process))
