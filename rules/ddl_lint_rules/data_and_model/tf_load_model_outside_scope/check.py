"""Finds models that are loaded outside of the scope of a strategy and then trained."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Location,
    RunView,
    is_made_outside,
    is_set_for_all,
    may_be_in_scope,
    objects,
    strategies,
    with_fix,
)
from ddl_lint.rulekit.events import Fit, Load
from ddl_lint_rules.data_and_model.tf_load_model_outside_scope.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per load, where the program that has the strategy asks for it."""
    made = strategies(run)
    if not made or is_set_for_all(run):
        return
    for load in run.events(Load):
        for model in objects(load.result, "model"):
            trained = next((fit for fit in run.events(Fit) if model in objects(fit.model, "model")), None)
            if trained is None or may_be_in_scope(load.context) or not is_made_outside(model):
                continue
            place = _asked(load, made[0])
            evidence = (
                *((Evidence("it is loaded here", load.location),) if place != load.location else ()),
                Evidence("it is trained here", trained.location),
            )
            message = "this model is loaded outside of `strategy.scope()`, and trained on one device"
            yield with_fix(Finding(message, place, evidence), fix, run, place, made[0])


def _asked(load: Event, made: Event) -> Location:
    """The call in the function that has the strategy which leads to the load."""
    around = set(made.context.chain())
    calls = [node for node in load.context.chain() if node.kind == "call" and node not in around]
    return calls[-1].location if calls else load.location
