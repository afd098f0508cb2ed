"""Finds models that an engine trains and that another wrapper, or a gradient scaler, works on as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Claim,
    Const,
    Engine,
    Event,
    Evidence,
    Finding,
    RunView,
    branches,
    comes_from,
    contradicts,
    engine_events,
    engines,
    excludes,
    is_of_scaler,
    may_drive,
    objects,
    objects_under,
    parts,
    same_iteration,
    with_fix,
)
from ddl_lint.rulekit.domain import Model
from ddl_lint.rulekit.events import Backward, OptimizerStep, ScaleLoss, WrapModel
from ddl_lint_rules.training.deepspeed_foreign_wrapper.fix import bare, unscaled

_ONE_WRAPPER = "Pass the bare model to the engine, which averages gradients itself."
_NO_SCALER = "Remove the scaler; the `fp16` section of the engine's configuration does the scaling."
_FOREIGN = frozenset({"ddp", "fsdp1", "fsdp2"})


def check(run: RunView) -> Iterable[Finding]:
    """One finding per wrapper or scaler."""
    for engine in engines(run):
        evidence = (Evidence("the engine is created here", engine.wrap.location),)
        for event, message in _wrappers(run, engine):
            yield with_fix(Finding(message, event.location, evidence, help=_ONE_WRAPPER), bare, run, event)
        for event, message in list(_scalers(run, engine))[:1]:
            yield with_fix(Finding(message, event.location, evidence, help=_NO_SCALER), unscaled, run, engine, event)


def _wrappers(run: RunView, engine: Engine) -> Iterator[tuple[WrapModel, str]]:
    given = objects_under(engine.wrap.model, engine.wrap.context)
    for wrap in run.events(WrapModel):
        if excludes(wrap.context, engine.wrap.context) or contradicts(wrap.context, engine.wrap.context):
            continue
        made = [each for each in objects(wrap.result) if Model(each).wrapper in _FOREIGN]
        if given and all(each in made for each in given):
            yield (
                wrap,
                Claim(
                    "the model is in another wrapper inside the engine, so each gradient is reduced twice",
                    "wasted-work",
                ),
            )
        elif made and engine.made in objects_under(wrap.model, wrap.context):
            yield wrap, Claim("wrapping the engine hides its own `backward` and `step`", "crash")


def _scalers(run: RunView, engine: Engine) -> Iterator[tuple[OptimizerStep | ScaleLoss, str]]:
    message = "the engine scales the loss itself; with a gradient scaler it is scaled twice"
    backwards = engine_events(run, engine, Backward)
    for event in run.events(ScaleLoss, OptimizerStep):
        if not may_drive(run, engine, event) or not same_iteration(event, backwards) or _is_mode(event, backwards):
            continue
        if event.kind == "scale_loss":
            scalers = objects_under(event.operands.get("scaler"), event.context)
            idle = any(each.traits.get("idle") for each in scalers)
            if not idle and comes_from(run, engine, event.loss, event):
                yield event, message
        elif is_of_scaler(event, run.api):
            stepped = objects_under(event.operands.get("optimizer"), event.context)
            if stepped and all(each in engine.optimizers for each in stepped):
                yield event, message


def _is_mode(event: Event, backwards: list[Backward]) -> bool:
    """Whether an event, unlike the engine's backward, is for one of several kinds of runs that a string chooses."""
    shared = {node for each in backwards for node in each.context.chain()}
    asked = (node.value for node in branches(event.context) if node not in shared and node.value is not None)
    return any(isinstance(part, Const) and isinstance(part.value, str) for value in asked for part in parts(value))
