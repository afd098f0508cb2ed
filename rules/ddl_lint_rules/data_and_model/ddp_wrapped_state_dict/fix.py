"""Saves the state of the model inside the wrapper."""

from __future__ import annotations

from ddl_lint.analysis.view import ProjectView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.arguments import replace
from ddl_lint.fixes.offer import Unfixable
from ddl_lint.fixes.project import file_of
from ddl_lint.program import code
from ddl_lint.program.values import Object


def fix(project: ProjectView, state: Object, prefix: str) -> Fix:
    """`model.state_dict()` to `model.module.state_dict()`."""
    file = file_of(project, state.location)
    call = file.node(state.location, code.Call)
    if not isinstance(call.func, code.Attribute):
        raise Unfixable("the state is not taken by a method of the model here")
    model = call.func.value
    inner = prefix.rstrip(".")
    return Fix(
        f"Take the state of the model inside the wrapper, `.{inner}`",
        (replace(file, model, f"{file.source(model)}.{inner}"),),
        Applicability.SAFE,
    )
