"""Logs the mean over the ranks."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.arguments import set_keyword
from ddl_lint.fixes.runs.project import argument_of, file_of, parameter_of
from ddl_lint.program import code
from ddl_lint.program.trace import Event


def fix(run: RunView, logged: Event) -> Fix:
    """`self.log("val_loss", loss)` to `self.log("val_loss", loss, sync_dist=True)`."""
    file = file_of(run, logged.location)
    call = file.node(logged.location, code.Call)
    name = parameter_of(run, logged.api, "synchronized")
    given = argument_of(run, logged.api, call, "synchronized")
    if name is None or (given is not None and not isinstance(given, code.Keyword)):
        raise Unfixable("the argument has no name in this call")
    return Fix("Average over the ranks", (set_keyword(file, call, name, "True"),), Applicability.SAFE)
