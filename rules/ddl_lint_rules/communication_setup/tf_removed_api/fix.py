"""Calls a method by its new name."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, Unfixable, code, file_of


def rename(run: RunView, event: Event, name: str) -> Fix:
    """`strategy.experimental_run_v2(...)` to `strategy.run(...)`."""
    file = file_of(run, event.location)
    function = file.node(event.location, code.Call).func
    if not isinstance(function, code.Attribute):
        raise Unfixable("the method is called under another name")
    start = function.end - len(function.attr)
    return Fix(f"Call `{name}`", (file.edit(start, function.end, name),), Applicability.SAFE)
