"""Calls the wrapper in the place of the model inside."""

from __future__ import annotations

from ddl_lint.analysis.queries.gradients import Replica
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.arguments import replace
from ddl_lint.fixes.runs.project import attribute_for, file_of
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.source.span import Location


def fix(run: RunView, replica: Replica, location: Location, bypass: Event) -> Fix:
    """`model.module(x)` to `model(x)`, `step(model.module, x)` to `step(model, x)`."""
    file = file_of(run, location)
    call = file.node(location, code.Call)
    inner = attribute_for(run, replica.wrap.api, "model")
    named = [call.func] if location == bypass.location else call.args
    found = [each for each in named if isinstance(each, code.Attribute) and each.attr == inner]
    if len(found) != 1:
        raise Unfixable(
            "the wrapper is not named in this call; if it is a method of the model, `forward` has to call it, for the "
            "wrapper runs nothing else"
        )
    edit = replace(file, found[0], file.source(found[0].value))
    return Fix("Call the wrapper", (edit,), Applicability.SAFE)
