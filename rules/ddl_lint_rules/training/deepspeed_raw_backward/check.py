"""Finds a plain backward of a loss that an engine has computed."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    NONE,
    Engine,
    Event,
    Evidence,
    Finding,
    RunView,
    Severity,
    Versions,
    averages_by_hand,
    called_name,
    comes_from,
    engine_at,
    engine_events,
    engines,
    is_absent,
    is_constant,
    is_prepared,
    is_trained,
    loops,
    may_drive,
    named,
    same_iteration,
    with_fix,
)
from ddl_lint.rulekit.domain import Trained
from ddl_lint.rulekit.events import Backward, SetTrainable
from ddl_lint_rules.training.deepspeed_raw_backward.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per backward."""
    for engine in engines(run):
        severity = _severity(run.versions_of(run.run.path), engine)
        for backward in run.events(Backward):
            if (
                severity is not None
                and not _averages_itself(engine)
                and not is_prepared(run, engine)
                and is_trained(run, engine)
                and is_absent(backward, "engine")
                and may_drive(run, engine, backward)
                and comes_from(run, engine, backward.loss, backward)
                and not same_iteration(backward, engine_events(run, engine, Backward))
                and not averages_by_hand(run, backward)
                and not _is_for_inputs(run, backward)
            ):
                evidence = Evidence("the engine is created here", engine.wrap.location)
                call = named("loss.backward", called_name, run, backward.location)
                finding = Finding(
                    f"`{call}` bypasses the engine: no loss scaling, no averaged gradients",
                    backward.location,
                    (evidence,),
                    severity=severity,
                    help=f"Call `{named('engine', engine_at, run, engine, backward)}.backward(...)` with the loss.",
                )
                yield with_fix(finding, fix, run, engine, backward)


def _averages_itself(engine: Engine) -> bool:
    """Whether the model in the engine may be one that averages its gradients in each backward."""
    model = engine.wrap.operands.get("model", NONE)
    return any(made.averages_gradients for made in Trained.among(model))


def _is_for_inputs(run: RunView, backward: Event) -> bool:
    """Whether parameters get no gradients in the same iteration of a loop: the backward is for the inputs."""
    innermost = loops(backward.context)[:1]
    return any(
        is_constant(event.trainable, False)
        and event.order < backward.order
        and not set(innermost).isdisjoint(loops(event.context))
        for event in run.events(SetTrainable)
    )


def _severity(versions: Versions, engine: Engine) -> Severity | None:
    """How bad a plain backward is; None where the version that the project has takes it for the engine's own."""
    if engine.has("needs_own_backward"):
        return Severity.ERROR
    package = engine.wrap.api.partition(".")[0]
    since = str(engine.traits.get("plain_backward_since", "0"))
    if versions.surely_before(package, since):
        return Severity.ERROR
    return None if versions.surely_from(package, since) else Severity.WARNING
