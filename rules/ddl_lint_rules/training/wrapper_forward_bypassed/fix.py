"""Calls the wrapper in the place of the model inside."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Location,
    Replica,
    RunView,
    Unfixable,
    attribute_for,
    code,
    file_of,
    replace_expression,
)


def fix(run: RunView, replica: Replica, location: Location, bypass: Event) -> Fix:
    """`model.module(x)` to `model(x)`, `step(model.module, x)` to `step(model, x)`."""
    file = file_of(run, location)
    call = file.node(location, code.Call)
    inner = attribute_for(run, replica.wrap.api, "model")
    named = [call.func] if location == bypass.location else call.args
    found = [each for each in named if isinstance(each, code.Attribute) and each.attr == inner]
    if len(found) != 1:
        raise Unfixable(
            "the call does not name the wrapper; a method of the model has to be called by `forward`, which "
            "is all that the wrapper runs"
        )
    edit = replace_expression(file, found[0], file.source(found[0].value))
    return Fix("Call the wrapper", (edit,), Applicability.SAFE)
