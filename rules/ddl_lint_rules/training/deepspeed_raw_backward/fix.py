"""Lets the engine do the backward."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Engine,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    engine_at,
    file_of,
    method_of,
    replace_expression,
)


def fix(run: RunView, engine: Engine, backward: Event) -> Fix:
    """`loss.backward()` to `engine.backward(loss)`."""
    file = file_of(run, backward.location)
    call = file.node(backward.location, code.Call)
    if call.args or call.keywords or not isinstance(call.func, code.Attribute):
        raise Unfixable("the backward of the engine takes other arguments")
    loss = file.source(call.func.value)
    name = f"{engine_at(run, engine, backward)}.{method_of(run, engine, 'backward')}"
    return Fix("Call the engine's backward", (replace_expression(file, call, f"{name}({loss})"),), Applicability.SAFE)
