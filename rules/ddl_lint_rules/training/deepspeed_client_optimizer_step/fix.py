"""Steps the engine, and nothing beside it."""

from __future__ import annotations

from ddl_lint.analysis.queries.control_context import objects_under
from ddl_lint.analysis.queries.engines import Engine, in_turn, own
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Edit, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.arguments import replace
from ddl_lint.fixes.python.statements import remove
from ddl_lint.fixes.runs.engines import engine_at, method_of
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.program import code
from ddl_lint.program.trace import Event


def fix(run: RunView, engine: Engine, step: Event) -> Fix:
    """`optimizer.step(); optimizer.zero_grad()` to `engine.step()`, which clears the gradients too."""
    file, place = file_of(run, step.location), file_of(run, step.location).place(step.location)
    call = file.node(step.location, code.Call)
    if not isinstance(place.statement, code.Evaluate) or place.statement.value is not call or call.args:
        raise Unfixable("the call is part of something else")
    edits: list[Edit] = []
    if in_turn(step, own(run, engine, "optimizer_step")):
        edits += remove(place)
    else:
        name = f"{engine_at(run, engine, step)}.{method_of(run, engine, 'optimizer_step')}"
        edits.append(replace(file, call, f"{name}()"))
    stepped = objects_under(step.operands.get("optimizer"), step.context)
    for clearing in run.events("zero_gradients"):
        cleared = objects_under(clearing.operands.get("optimizer"), clearing.context)
        beside = clearing.location.path == step.location.path and clearing.context is step.context
        if beside and cleared and all(each in stepped for each in cleared):
            there = file.place(clearing.location)
            if isinstance(there.statement, code.Evaluate) and len(place.block) > 1:
                edits += remove(there)
    return Fix("Step the engine", tuple(edits), Applicability.SAFE)
