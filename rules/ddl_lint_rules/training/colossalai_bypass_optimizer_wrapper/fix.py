"""Lets the optimizer of the Booster do its part."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Object,
    RunView,
    Unfixable,
    add_keyword,
    argument_of,
    code,
    file_of,
    keyword,
    objects,
    objects_under,
    receiver,
    remove,
    replace_expression,
    value_of,
)
from ddl_lint.rulekit.domain import Trained
from ddl_lint.rulekit.events import OptimizerStep


def fix_backward(run: RunView, backward: Event, wrappers: list[Object]) -> Fix:
    """`loss.backward()` to `optimizer.backward(loss)`, which is what `booster.backward` calls."""
    file = file_of(run, backward.location)
    call = file.node(backward.location, code.Call)
    if call.args or call.keywords or not isinstance(call.func, code.Attribute):
        raise Unfixable("the backward pass of the optimizer takes other arguments")
    step = _step_beside(run, backward, wrappers)
    loss = file.source(call.func.value)
    return Fix(
        "Let the optimizer run the backward pass",
        (replace_expression(file, call, f"{receiver(run, step)}.backward({loss})"),),
        Applicability.SAFE,
    )


def _step_beside(run: RunView, event: Event, wrappers: list[Object]) -> OptimizerStep:
    """The step of a boosted optimizer in the same function."""
    for step in run.events(OptimizerStep):
        stepped = objects_under(step.optimizer, step.context)
        beside = step.function is event.function and step.location.path == event.location.path
        if beside and stepped and all(each in wrappers for each in stepped):
            return step
    raise Unfixable("the optimizer has no name here")


def fix_clip(run: RunView, clip: Event, wrappers: list[Object]) -> Fix:
    """The call away, and its limit to the plugin, which clips: `max_norm=1.0`."""
    file = file_of(run, clip.location)
    call, place = file.node(clip.location, code.Call), file.place(clip.location)
    given = argument_of(run, clip.api, call, "norm")
    limit = value_of(given) if given is not None else None
    if not isinstance(limit, code.Literal) or not isinstance(place.statement, code.Evaluate) or len(place.block) < 2:
        raise Unfixable("the limit of the norm has to go to the plugin as a number")
    plugins = {
        plugin
        for made in wrappers
        for booster in Trained(made).trainers
        for plugin in objects(booster.given.get("plugin"), "strategy")
    }
    if len(plugins) != 1:
        raise Unfixable("which plugin is used is not known")
    (plugin,) = plugins
    maker = file_of(run, plugin.location)
    made_by = maker.node(plugin.location, code.Call)
    if any(each.name is None for each in made_by.keywords) or any(isinstance(a, code.Starred) for a in made_by.args):
        raise Unfixable("what the plugin is given is written elsewhere")
    edits = list(remove(place))
    if keyword(made_by, "max_norm") is None:
        edits.append(add_keyword(maker, made_by, "max_norm", file.source(limit)))
    return Fix(
        "Let the plugin clip the gradients",
        tuple(edits),
        Applicability.UNSAFE,
        "the gradients have not been clipped until now; clipping them changes the training",
    )


def fix_step(run: RunView, step: Event, boost: Event) -> Fix:
    """`raw.step()` to `optimizer.step()`, by the name that the boosted optimizer has in the same function."""
    file = file_of(run, step.location)
    call = file.node(step.location, code.Call)
    statement = file.place(boost.location).statement if boost.location.path == step.location.path else None
    if statement is None or boost.function is not step.function or not isinstance(statement, code.Assign):
        raise Unfixable("the boosted optimizer has no name here")
    target = statement.targets[0] if len(statement.targets) == 1 else None
    names = [file.source(name) for name in target.items] if isinstance(target, code.Display) else list[str]()
    if len(names) < 2 or names[1] == "_" or names[1].startswith("*") or not isinstance(call.func, code.Attribute):
        raise Unfixable("the boosted optimizer has no name here")
    edit = replace_expression(file, call.func.value, names[1])
    return Fix("Step the boosted optimizer", (edit,), Applicability.SAFE)
