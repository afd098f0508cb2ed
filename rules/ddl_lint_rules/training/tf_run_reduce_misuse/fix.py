"""Gives calls of strategies the arguments that they want."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    add_keyword,
    argument_of,
    code,
    file_of,
    replace_argument,
    value_of,
)


def name_axis(run: RunView, event: Event) -> Fix:
    """`strategy.reduce("SUM", value)` to `strategy.reduce("SUM", value, axis=None)`."""
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    return Fix("Pass axis=None", (add_keyword(file, call, "axis", "None"),), Applicability.SAFE)


def make_tuple(run: RunView, event: Event) -> Fix:
    """`args=(batch)` to `args=(batch,)`."""
    file = file_of(run, event.location)
    given = argument_of(run, event.api, file.node(event.location, code.Call), "tensor")
    if given is None:
        raise Unfixable("the arguments are not written out here")
    text = f"({file.source(value_of(given))},)"
    name = f"{given.name}=" if isinstance(given, code.Keyword) else ""
    return Fix("Pass a tuple of arguments", (replace_argument(file, given, f"{name}{text}"),), Applicability.SAFE)
