"""Finds optimizers of parameters that a wrapper, or a load, replaces later, and that the optimizers never get again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Items,
    Object,
    RunView,
    Severity,
    Value,
    alternatives,
    contradicts,
    excludes,
    is_constant,
    left_under,
    match,
    module_children,
    objects,
    objects_in,
    parts_of,
    reached_from,
    result_name,
    shown,
    undecided,
    with_fix,
    wrapped,
    wrapper_trait,
)
from ddl_lint.rulekit.domain import Parameter
from ddl_lint.rulekit.events import BuildOptimizer, LoadState, SetGroup, WrapModel
from ddl_lint_rules.training.fsdp_optimizer_before_wrap.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per optimizer."""
    for built in run.events(BuildOptimizer):
        stale = list(_stale_after(run, built))
        wraps = [event for event in stale if event.kind == "wrap_model"]
        if stale and not wraps:
            yield _assigned(run, built, stale[0])
        if wraps:
            place = reached_from(built, wraps[0])
            optimizer = shown("the optimizer", result_name, run, built.location)
            finding = Finding(
                f"{optimizer} keeps the parameters from before sharding, so its steps change nothing",
                place,
                (
                    *([Evidence("it is built here", built.location)] if place != built.location else []),
                    Evidence("FSDP replaces the parameters by shards here", wraps[0].location),
                ),
                help=f"Build {optimizer} after the model is wrapped.",
            )
            yield with_fix(finding, fix, run, built, wraps[-1])


def _assigned(run: RunView, built: Event, load: Event) -> Finding:
    """What is wrong where a load puts other parameters into the model; a job that loads nothing does not come there."""
    optimizer = shown("the optimizer", result_name, run, built.location)
    return Finding(
        f"{optimizer} keeps the parameters from before `assign=True` replaced them, so its steps change nothing",
        load.location,
        (Evidence("it is built here, of the parameters that the model has then", built.location),),
        severity=Severity.WARNING if any(undecided(load)) else None,
        help=f"Load the state before {optimizer} is built, or leave out `assign=True`.",
        unfixable="cannot tell what the state is loaded for",
    )


def _replacements(run: RunView) -> Iterator[tuple[Event, list[Object]]]:
    """What replaces parameters, and those of which models."""
    for wrap in run.events(WrapModel):
        if wrapper_trait(wrap, "replaces_parameters"):
            yield wrap, wrapped(wrap)
    for load in run.events(LoadState):
        if is_constant(load.assign, True):
            yield load, objects(load.target, "model")


def _stale_after(run: RunView, built: BuildOptimizer) -> Iterator[Event]:
    """What replaces parameters of an optimizer which goes on to make steps with the old ones."""
    optimizer, parameters = built.result, built.parameters
    if not isinstance(optimizer, Object) or parameters is None:
        return
    held = module_children(run)
    owners = {owner for part in objects_in(parameters) for owner in _owners(part)}
    for wrap, models in _replacements(run):
        if (
            wrap.order > built.order
            and any(owner in parts_of(model, held) or model in parts_of(owner, held) for model in models
                    for owner in owners)
            and not excludes(built.context, wrap.context)
            and not contradicts(built.context, wrap.context)
            and _goes_on(run, optimizer, wrap)
        ):  # fmt: skip
            yield wrap


def _owners(part: Object) -> list[Object]:
    """The modules that a parameter belongs to."""
    return objects(Parameter(part).model, "model") if part.kind == "parameter" else []


def _goes_on(run: RunView, optimizer: Object, wrap: Event) -> bool:
    """Whether the optimizer makes steps after the wrapper, in runs in which there is one, and nothing changes it."""
    later = [event for event in run.all_events if event.order > wrap.order]
    if any(event.kind in ("prepare", "delegate") and optimizer in _operands(event) for event in later):
        return False
    groups = (event for event in run.events(SetGroup) if event.order > wrap.order)
    if any(event.optimizer is optimizer and _is_refilled(event) for event in groups):
        return False
    return any(
        event.kind == "optimizer_step"
        and not contradicts(event.context, wrap.context)
        and any(option is optimizer for option in left_under(event.operands.get("optimizer"), wrap.context))
        for event in later
    )


def _is_refilled(event: Event) -> bool:
    """Whether what is assigned in a group may be its parameters: a list, a parameter, or an element of a list."""
    key, value = event.operands["key"], event.operands["value"]
    if not (isinstance(key, Const) and isinstance(key.value, str)):
        return True
    return any(_is_list(option) for option in alternatives(value)) or bool(objects(value, "parameter"))


def _is_list(value: Value) -> bool:
    return isinstance(value, Items) or match.comprehended(value) is not None


def _operands(event: Event) -> list[Object]:
    return [held for value in event.operands.values() for held in objects_in(value)]
