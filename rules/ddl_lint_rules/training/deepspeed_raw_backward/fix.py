"""Lets the engine do the backward."""

from __future__ import annotations

from ddl_lint.analysis.queries.engines import Engine
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.arguments import replace
from ddl_lint.fixes.runs.engines import engine_at, method_of
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.program import code
from ddl_lint.program.trace import Event


def fix(run: RunView, engine: Engine, backward: Event) -> Fix:
    """`loss.backward()` to `engine.backward(loss)`."""
    file = file_of(run, backward.location)
    call = file.node(backward.location, code.Call)
    if call.args or call.keywords or not isinstance(call.func, code.Attribute):
        raise Unfixable("the backward of the engine takes other arguments")
    loss = file.source(call.func.value)
    name = f"{engine_at(run, engine, backward)}.{method_of(run, engine, 'backward')}"
    return Fix("Let the engine do the backward", (replace(file, call, f"{name}({loss})"),), Applicability.SAFE)
