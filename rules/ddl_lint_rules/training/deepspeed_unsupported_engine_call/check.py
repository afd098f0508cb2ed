"""Finds calls that an engine of this kind refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Engine,
    Event,
    Evidence,
    Finding,
    RunView,
    catches,
    engine_at,
    engines,
    is_call,
    may_drive,
    named,
)
from ddl_lint.rulekit.events import Backward, Forward, OptimizerStep, SkipSynchronization, WrapModel


def check(run: RunView) -> Iterable[Finding]:
    """One finding per engine and fault."""
    for engine in engines(run):
        evidence = (Evidence("the engine is created here", engine.wrap.location),)
        for event, message, advice in _refused(run, engine):
            yield Finding(message, event.location, evidence, help=advice)


def _refused(
    run: RunView, engine: Engine
) -> Iterator[tuple[Backward | Forward | OptimizerStep | SkipSynchronization | WrapModel, str, str]]:
    name = named("engine", engine_at, run, engine, engine.wrap)
    if engine.has("staged"):
        if engine.has("splits_gradients"):
            message = "pipeline parallelism does not work with ZeRO stage 2 or 3"
            yield engine.wrap, message, "Set the ZeRO stage to 0 or 1 in the configuration of the engine."
        steps = run.events(Forward, Backward, OptimizerStep, SkipSynchronization)
        calls = [event for event in steps if is_call(engine, event) and _is_own(run, engine, event)]
        for event in calls[:1]:
            message = "a pipeline engine is trained by `train_batch()` only"
            yield event, message, f"Train with `{name}.train_batch(data_iter)`, which runs forward, backward and step."
    elif engine.has("splits_gradients"):
        for event in run.events(SkipSynchronization):
            if is_call(engine, event) and _is_own(run, engine, event):
                message = "`no_sync()` is refused with ZeRO stage 2 or 3, which partition the gradients"
                yield event, message, "Drop `no_sync()`: the engine accumulates by itself."


def _is_own(run: RunView, engine: Engine, event: Event) -> bool:
    return may_drive(run, engine, event) and not catches(event.context, "Exception", "RuntimeError", "AssertionError")
