"""Finds steps of a schedule that the engine steps already."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Engine,
    Event,
    Evidence,
    Finding,
    RunView,
    are_exclusive,
    called_name,
    engine_events,
    engines,
    loops,
    may_drive,
    named,
    objects,
    objects_under,
    with_fix,
)
from ddl_lint.rulekit.events import OptimizerStep, SchedulerStep
from ddl_lint_rules.training.deepspeed_scheduler_double_step.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per step of a schedule."""
    for engine in engines(run):
        steps = engine_events(run, engine, OptimizerStep)
        for event in run.events(SchedulerStep):
            if engine.has("owns_schedule") and may_drive(run, engine, event) and _is_its(engine, event):
                double = next((step for step in steps if _is_double(step, event)), None)
                if double is not None:
                    finding = Finding(
                        "the engine also steps the scheduler, so the learning rate changes at double speed",
                        event.location,
                        (Evidence("this also steps the scheduler", double.location),),
                        help=f"Delete the call of `{named('scheduler.step', called_name, run, event.location)}`.",
                    )
                    yield with_fix(finding, fix, run, event)


def _is_its(engine: Engine, event: SchedulerStep) -> bool:
    """Whether the schedule is surely one that the engine was given or has made."""
    known = [*objects(engine.wrap.scheduler), *engine.returned("scheduler")]
    stepped = objects_under(event.scheduler, event.context)
    return bool(stepped) and all(each in known for each in stepped)


def _is_double(step: Event, event: Event) -> bool:
    """Whether a step of the engine is made in the same iteration as one of the scheduler."""
    return loops(step.context)[:1] == loops(event.context)[:1] and not are_exclusive(step, event)
