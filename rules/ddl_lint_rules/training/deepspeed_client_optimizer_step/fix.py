"""Steps the engine, and nothing beside it."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Engine,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    engine_at,
    engine_events,
    excludes,
    file_of,
    method_of,
    objects_under,
    remove,
    replace_expression,
    same_iteration,
)
from ddl_lint.rulekit.events import OptimizerStep, ZeroGradients


def fix(run: RunView, engine: Engine, step: Event) -> Fix:
    """`optimizer.step(); optimizer.zero_grad()` to `engine.step()`, which clears the gradients too."""
    file, place = file_of(run, step.location), file_of(run, step.location).place(step.location)
    call = file.node(step.location, code.Call)
    if not isinstance(place.statement, code.Evaluate) or place.statement.value is not call or call.args:
        raise Unfixable("the call is part of a larger expression")
    edits: list[Edit] = []
    own_steps = same_iteration(step, engine_events(run, engine, OptimizerStep))
    if any(excludes(each.context, step.context) for each in own_steps):
        raise Unfixable("the engine is stepped in the other arm of a condition; this may be for runs without it")
    if own_steps:
        edits += remove(place)
    else:
        name = f"{engine_at(run, engine, step)}.{method_of(run, engine, 'optimizer_step')}"
        edits.append(replace_expression(file, call, f"{name}()"))
    stepped = objects_under(step.operands.get("optimizer"), step.context)
    for clearing in run.events(ZeroGradients):
        cleared = objects_under(clearing.optimizer, clearing.context)
        beside = clearing.location.path == step.location.path and clearing.context is step.context
        if beside and cleared and all(each in stepped for each in cleared):
            there = file.place(clearing.location)
            if isinstance(there.statement, code.Evaluate) and len(place.block) > 1:
                edits += remove(there)
    return Fix("Step the engine instead of the optimizer", tuple(edits), Applicability.SAFE)
