"""Finds states that are loaded on some ranks only, when nothing copies them to the others any more."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    always,
    are_exclusive,
    called_back,
    excludes,
    in_handler,
    is_kept_out,
    job,
    loops,
    objects,
    rank_guards,
    with_fix,
)
from ddl_lint.rulekit.domain import Model
from ddl_lint.rulekit.events import (
    Backward,
    Collective,
    Communicate,
    Fit,
    LoadState,
    OptimizerStep,
    Unfollowed,
    WrapModel,
)
from ddl_lint_rules.data_and_model.rank0_load_after_wrap.fix import load_everywhere

_BESIDE = {"optimizer": "optimizer", "scheduler": "scheduler", "scaler": "scaler"}
"""Kinds of objects that no wrapper copies, and how they are called."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per load."""
    seen: set[Location] = set()
    wraps = [event for event in run.events(WrapModel) if _copies_at_once(run, event)]
    for event in run.events(LoadState) if wraps else ():
        if event.location in seen or in_handler(event) or not any(is_kept_out(event, each) for each in job(1, 2)):
            continue
        if not _trains_on(run, event) or _is_shared_later(run, event) or _has_counterpart(run, event):
            continue
        finding = _of_model(event, wraps) or _beside(event, wraps)
        if finding is not None:
            seen.add(event.location)
            yield with_fix(finding, load_everywhere, run, event)


def _copies_at_once(run: RunView, event: Event) -> bool:
    """Whether a wrapper averages gradients, and copies the weights of rank 0 when it is made, but not later."""
    made = objects(event.result, "model")
    return any(Model(wrapper).wrapper == "ddp" for wrapper in made)


def _of_model(event: LoadState, wraps: list[WrapModel]) -> Finding | None:
    """A load into a model that was wrapped before."""
    targets = objects(event.target, "model")
    if not targets:
        return None
    for wrap in wraps:
        if are_exclusive(wrap, event):
            continue
        held = _models_of(wrap)
        if wrap.order < event.order and all(target in held for target in targets):
            if any(later.order > event.order and held & _models_of(later) for later in wraps):
                return None
            return Finding(
                "only some ranks load these weights, after DDP copied those of rank 0; the ranks now differ",
                event.location,
                (Evidence("DDP copies the weights to all ranks here, and never again", wrap.location),),
                help="Load the weights on all ranks, or on rank 0 before the model is wrapped.",
            )
    return None


def _models_of(wrap: WrapModel) -> set[Object]:
    return {*objects(wrap.model, "model"), *objects(wrap.result, "model")}


def _beside(event: LoadState, wraps: list[WrapModel]) -> Finding | None:
    """A load into an optimizer and the like, which belongs to each process alone."""
    targets = objects(event.target, *_BESIDE)
    if not targets or excludes(wraps[0].context, event.context):
        return None
    name = _BESIDE[targets[0].kind]
    return Finding(
        f"only some ranks load the {name} state, so the ranks update their models differently",
        event.location,
        (Evidence("the model that all ranks train is wrapped here", wraps[0].location),),
        help=f"Load the {name} state on all ranks.",
    )


def _trains_on(run: RunView, event: Event) -> bool:
    """Whether training may follow the load: a model that one rank only evaluates need not be that of the others."""
    around = set(loops(event.context))
    training = list(run.events(Backward, OptimizerStep, Fit))
    return not training or any(
        other.order > event.order or called_back(other) or around & set(loops(other.context)) for other in training
    )


def _is_shared_later(run: RunView, event: Event) -> bool:
    """Whether the program hands something on to all ranks afterwards, or may do so."""
    return any(
        other.order > event.order and (other.kind != "collective" or _hands_on(other))
        for other in run.events(Collective, Communicate, Unfollowed)
    )


def _hands_on(event: Event) -> bool:
    """Whether a collective may send weights or states to all ranks: a tensor that is made of numbers is none."""
    made = always(event.operands.get("tensor"), lambda tensor: isinstance(tensor, Object) and _is_new(tensor))
    return str(event.constants.get("operation")).startswith(("broadcast", "scatter")) and not made


def _is_new(tensor: Object) -> bool:
    return tensor.kind == "tensor" and bool({"size", "data"} & tensor.given.keys())


def _has_counterpart(run: RunView, event: LoadState) -> bool:
    """Whether the other ranks load a state in another arm: into the same model, or by another call of the function in
    which these do.
    """
    targets = objects(event.target)
    again = (other for other in run.events(LoadState) if other.location == event.location)
    return any(excludes(other.context, event.context) for other in again) or any(
        other is not event
        and any(target in objects(other.target) for target in targets)
        and (excludes(other.context, event.context) or not rank_guards(other.context))
        and (excludes(other.context, event.context) or other.order > event.order)
        for other in run.events(LoadState)
    )
