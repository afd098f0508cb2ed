"""Finds strategies that replicate nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    RunView,
    asked_for,
    is_made_outside,
    is_set_for_all,
    may_be_in_scope,
    named,
    objects,
    result_name,
    shown,
    strategies,
    with_fix,
)
from ddl_lint.rulekit.events import (
    BuildOptimizer,
    Collective,
    Compile,
    DistributeData,
    Fit,
    Forward,
    InitProcessGroup,
    Load,
    OpenScope,
    OptimizerStep,
)
from ddl_lint_rules.training.tf_strategy_scope_unused.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per strategy."""
    fits = [event for event in run.events(Fit) if objects(event.model, "model")]
    if not run.is_script or not fits or len(fits) < len(run.events(Fit)) or run.has(InitProcessGroup):
        return
    models = [model for fit in fits for model in objects(fit.model, "model")]
    is_alone = all(map(is_made_outside, models))  # else another strategy trains
    for event in strategies(run):
        strategy = event.result
        used = any(
            strategy in objects(each.strategy, "strategy") for each in run.events(OpenScope, Collective, DistributeData)
        )
        if used:
            yield from _empty(run, event, fits)
        elif strategy is not None and not any(run.heap.is_escaped(each) for each in objects(strategy)) and is_alone:
            name = shown("this strategy", result_name, run, event.location)
            message = f"no model is created in the scope of {name}, so one device does all the work"
            evidence = Evidence("training starts here, on one device", fits[0].location)
            scope = f"with {named('strategy', result_name, run, event.location)}.scope():"
            advice = f"Create and compile the model in `{scope}`."
            finding = Finding(message, event.location, (evidence,), help=advice)
            yield with_fix(finding, fix, run, event, objects(fits[0].model, "model")[0])


def _empty(run: RunView, made: Event, fits: list[Fit]) -> Iterator[Finding]:
    """A strategy in whose scopes nothing is made that is trained; of a model that is loaded another rule speaks."""
    (strategy,) = objects(made.result, "strategy")
    if is_set_for_all(run) or any(
        strategy in objects(each.strategy, "strategy") for each in run.events(Collective, DistributeData)
    ):
        return
    models = [model for fit in fits for model in objects(fit.model, "model")]
    around = run.events(Compile, Fit, Forward, BuildOptimizer, OptimizerStep, Load)
    if any(may_be_in_scope(each.context) for each in around) or not all(map(is_made_outside, models)):
        return
    if any(model in objects(load.result, "model") for load in run.events(Load) for model in models):
        return
    opened = next((each for each in run.events(OpenScope) if strategy in objects(each.strategy)), None)
    if opened is not None:
        message = "no model is created in this scope, so one device does all the work"
        evidence = (
            Evidence("the model is created here", asked_for(run, models[0], made)),
            Evidence("training starts here, on one device", fits[0].location),
        )
        yield with_fix(Finding(message, opened.location, evidence), fix, run, made, models[0])
