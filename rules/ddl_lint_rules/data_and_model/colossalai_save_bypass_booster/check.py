"""Finds states of boosted models and optimizers that a rank saves by itself, which has a part of them."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Claim,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    always,
    contradicts,
    objects,
    objects_in,
    objects_under,
    with_fix,
)
from ddl_lint.rulekit.domain import State, Trained
from ddl_lint.rulekit.events import Prepare, Save
from ddl_lint_rules.data_and_model.colossalai_save_bypass_booster.fix import fix

_FRAMEWORK = "colossalai"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per file that is written."""
    for boost in run.events(Prepare):
        if run.api.framework(boost.api) != _FRAMEWORK or boost.result is None:
            continue
        wrappers = [made for made in objects_in(boost.result) if Trained(made).is_prepared]
        for save in run.events(Save):
            if save.order > boost.order and not contradicts(boost.context, save.context):
                yield from _judged(run, boost, save, wrappers)


def _judged(run: RunView, boost: Event, save: Save, wrappers: list[Object]) -> Iterable[Finding]:
    for state in objects_under(save.object, save.context):
        if state.kind != "state_dict" or run.heap.is_escaped(state):
            continue
        for owner in objects(State(state).model):
            made = next((each for each in wrappers if owner is each or _is_inside(owner, each)), None)
            message = _fault(made, owner) if made is not None else ""
            if message:
                evidence = (Evidence("it is boosted here", boost.location),)
                yield with_fix(Finding(message, save.location, evidence), fix, run, save, state, owner.kind)
                return


def _is_inside(owner: Object, wrapper: Object) -> bool:
    return any(owner in objects(wrapper.given.get(name)) for name in ("module", "optim"))


def _fault(wrapper: Object, owner: Object) -> str:
    """What is wrong with a file that holds the state of something boosted; empty where nothing is."""
    boosters = Trained(wrapper).trainers
    plugins = [booster.given.get("plugin") for booster in boosters]
    trait = "shards_parameters" if wrapper.kind == "model" else "shards_optimizer"
    if boosters and all(always(plugin, lambda each: _has(each, trait)) for plugin in plugins):
        return "this rank has a part of the state only; the file cannot restore the training"
    is_named = owner is wrapper and wrapper.kind == "model"
    if is_named and boosters and all(always(plugin, lambda each: _has(each, "shards_optimizer")) for plugin in plugins):
        return Claim("saves the Booster's wrapper; a plain model cannot load its keys", "wrong-result")
    return ""


def _has(plugin: object, trait: str) -> bool:
    return isinstance(plugin, Object) and bool(plugin.traits.get(trait))
