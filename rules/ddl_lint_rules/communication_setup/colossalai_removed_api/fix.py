"""Leaves the configuration out."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    file_of,
    keyword,
    remove_argument,
)


def fix(run: RunView, launch: Event) -> Fix:
    """`launch_from_torch(config={})` to `launch_from_torch()`."""
    file = file_of(run, launch.location)
    call = file.node(launch.location, code.Call)
    given = keyword(call, "config")
    if given is None:
        raise Unfixable("the configuration is not written in this call")
    value = given.value
    if not isinstance(value, (code.Dictionary, code.Literal, code.Name, code.Attribute, code.Call)):
        raise Unfixable("the configuration may do more than to set things")
    if isinstance(value, code.Call) and (not isinstance(value.func, code.Name) or value.func.id != "dict"):
        raise Unfixable("what makes the configuration may do more than that")
    edit = remove_argument(file, call, given)
    return Fix("Leave the configuration out", (edit,), Applicability.SAFE)
