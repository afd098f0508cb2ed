"""Finds steps of an optimizer that belongs to an engine, made beside the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Engine,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Severity,
    called_name,
    engine_at,
    engine_events,
    engines,
    is_constant,
    is_of_scaler,
    is_prepared,
    loops,
    may_drive,
    named,
    objects,
    objects_in,
    objects_under,
    same_iteration,
    with_fix,
)
from ddl_lint.rulekit.domain import Parameter
from ddl_lint.rulekit.events import Backward, BuildOptimizer, Forward, OptimizerStep, SchedulerStep
from ddl_lint_rules.training.deepspeed_client_optimizer_step.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per step."""
    for engine in engines(run):
        if is_prepared(run, engine) or not (
            engine_events(run, engine, Forward) or engine_events(run, engine, Backward)
        ):
            continue  # it is not the engine that trains
        for step in run.events(OptimizerStep):
            if not may_drive(run, engine, step) or is_of_scaler(step, run.api) or not _trains(run, step):
                continue
            message, severity = _judge(run, engine, step)
            if message:
                step_of_engine = f"{named('engine', engine_at, run, engine, step)}.step()"
                evidence = Evidence(
                    "the engine is created here and owns the training from then on", engine.wrap.location
                )
                finding = Finding(
                    message,
                    step.location,
                    (evidence,),
                    severity=severity,
                    doubt=_SAME if severity is Severity.INFO else "",
                    help=f"Call `{step_of_engine}` instead; it steps the optimizer and clears the gradients.",
                )
                yield with_fix(finding, fix, run, engine, step)


def _trains(run: RunView, step: Event) -> bool:
    """Whether gradients are computed in the same iteration of a loop."""
    return bool(loops(step.context)) and bool(same_iteration(step, run.events(Backward)))


def _judge(run: RunView, engine: Engine, step: OptimizerStep) -> tuple[str, Severity | None]:
    stepped = objects_under(step.optimizer, step.context)
    if not stepped or engine.made in stepped:
        return "", None
    call = named("step", called_name, run, step.location)
    handed = objects(engine.wrap.optimizer, "optimizer")
    if all(each in handed or _is_over(run, engine, each) for each in stepped):
        message = f"`{call}` does not train the model; the engine has its own optimizer and gradients"
        return message, Severity.ERROR
    returned = engine.returned("optimizer")
    if all(each in returned for each in stepped) and not same_iteration(
        step, engine_events(run, engine, OptimizerStep)
    ):
        message = f"`{call}` bypasses the engine, which then neither counts steps nor steps its schedule"
        return message, Severity.INFO if _does_the_same(run, engine, step) else Severity.WARNING
    return "", None


_SAME = "the engine accumulates nothing, and the schedule is stepped here"


def _does_the_same(run: RunView, engine: Engine, step: Event) -> bool:
    """Whether the program does what else the engine would do: each batch is a step, and the schedule moves on."""
    every_batch = is_constant(engine.made.given.get("accumulation"), 1)
    return every_batch and bool(same_iteration(step, run.events(SchedulerStep)))


def _is_over(run: RunView, engine: Engine, optimizer: Object) -> bool:
    """Whether an optimizer was made, before the engine, for the parameters of its whole model."""
    return any(
        event.result is optimizer
        and event.order < engine.wrap.order
        and all(_owners(event, engine))
        and any(_owners(event, engine))
        for event in run.events(BuildOptimizer)
    )


def _owners(event: Event, engine: Engine) -> Iterator[bool]:
    models = objects(engine.wrap.model, "model")
    return (Parameter(part).model in models for part in objects_in(event.operands.get("parameters", NONE)))
