"""Logs the mean over the ranks."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    argument_of,
    code,
    file_of,
    parameter_of,
    set_keyword,
)


def fix(run: RunView, logged: Event) -> Fix:
    """`self.log("val_loss", loss)` to `self.log("val_loss", loss, sync_dist=True)`."""
    file = file_of(run, logged.location)
    call = file.node(logged.location, code.Call)
    name = parameter_of(run, logged.api, "synchronized")
    given = argument_of(run, logged.api, call, "synchronized")
    if name is None or (given is not None and not isinstance(given, code.Keyword)):
        raise Unfixable("the argument has no name in this call")
    return Fix("Pass sync_dist=True", (set_keyword(file, call, name, "True"),), Applicability.SAFE)
