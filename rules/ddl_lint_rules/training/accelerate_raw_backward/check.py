"""Finds backward passes of a prepared model that go past its trainer."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    ApiIndex,
    Evidence,
    Finding,
    Object,
    RunView,
    Severity,
    Value,
    always,
    beside_callers,
    called_name,
    contradicts,
    forwards_behind,
    named,
    objects,
    objects_in,
    result_name,
    shown,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.domain import Model, Parameter, Trained
from ddl_lint.rulekit.events import Backward, BuildOptimizer, Forward
from ddl_lint_rules.training.accelerate_raw_backward.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per backward pass."""
    for event in run.events(Backward):
        owner = run.api.class_(event.api.rpartition(".")[0])
        if owner is None or owner.kind != "tensor":
            continue
        forward = _forward(run.api, run, event)
        if forward is not None:
            (trainer,) = _trainers(forward)
            severe = trainer.traits.get("shapes_loss") or run.traits(trainer).get("sharded")
            call = named("loss.backward", called_name, run, event.location)
            trained_by = shown("its trainer", result_name, run, trainer.location)
            finding = Finding(
                f"`{call}` bypasses {trained_by}, so the loss is neither scaled nor accumulated",
                event.location,
                (
                    Evidence("the prepared model computes the loss here", forward.location),
                    *beside_callers(run, forward),
                ),
                severity=Severity.ERROR if severe else None,
                help=f"Call `{named('accelerator', result_name, run, trainer.location)}.backward(...)` with the loss.",
            )
            yield with_fix(finding, fix, run, event, trainer)


def _forward(api: ApiIndex, run: RunView, backward: Backward) -> Forward | None:
    """The call of the prepared model whose loss a backward pass has.

    None where a model that is trained without the trainer has part in it, or where the backward is that of another kind
    of model.
    """
    calls = [
        each
        for each in forwards_behind(run, backward.loss, backward)
        if not contradicts(each.context, backward.context)
    ]
    wrapped = [each for each in calls if always(each.model, lambda value: _is_prepared(api, value))]
    if not wrapped or len(_trainers(wrapped[-1])) != 1:
        return None
    prepared = [made for event in wrapped for made in objects(event.model)]
    if any(made in prepared for node in undecided(backward) if node.value for made in objects_in(node.value)):
        return None
    insides = [Model(made).inner for made in prepared]
    others = [
        made
        for event in calls
        if event not in wrapped
        for made in objects(event.model, "model")
        if not run.heap.is_kept(made) and made not in insides
    ]
    return None if any(_is_trained(run, made) for made in others) else wrapped[-1]


def _is_prepared(api: ApiIndex, value: Value) -> bool:
    """Whether a value is a model in the wrapper of a trainer that has a backward of its own, for a loss alone."""
    trainer = Trained(value).trainer if isinstance(value, Object) else None
    model = api.class_(trainer.api) if isinstance(trainer, Object) and trainer.api is not None else None
    return model is not None and any(
        method.event == "backward" and sum(each.required for each in method.parameters or ()) <= 1
        for ancestor in api.ancestors(model)
        for method in ancestor.methods.values()
    )


def _trainers(forward: Forward) -> list[Object]:
    found = (Trained(made).trainer for made in objects(forward.model))
    return list(dict.fromkeys(trainer for trainer in found if isinstance(trainer, Object)))


def _is_trained(run: RunView, model: Object) -> bool:
    """Whether an optimizer has parameters of the model."""
    return any(
        model in objects(Parameter(part).model)
        for event in run.events(BuildOptimizer)
        for value in [event.parameters]
        if value is not None
        for part in objects_in(value)
    )
