"""Calls the wrapper in the place of the model inside."""

from __future__ import annotations

from ddl_lint.analysis.gradients import Replica
from ddl_lint.analysis.view import ProjectView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.offer import Unfixable
from ddl_lint.fixes.python.arguments import replace
from ddl_lint.fixes.runs.project import attribute_for, file_of
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.source.span import Location


def fix(project: ProjectView, replica: Replica, location: Location, bypass: Event) -> Fix:
    """`model.module(x)` to `model(x)`."""
    if location != bypass.location:
        raise Unfixable(
            "this is a method of the model: the wrapper runs nothing but `forward`, which would have to call it"
        )
    file = file_of(project, location)
    called = file.node(location, code.Call).func
    if not isinstance(called, code.Attribute) or called.attr != attribute_for(project, replica.wrap.api, "model"):
        raise Unfixable("the wrapper is not named in this call")
    edit = replace(file, called, file.source(called.value))
    return Fix("Call the wrapper", (edit,), Applicability.SAFE)
