"""Prepares what the workers train with."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.python.arguments import replace
from ddl_lint.fixes.runs.project import file_of, say
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Object

_REASON = "It moves the model and its batches to the device of the worker, where the program may expect them elsewhere."


def fix(run: RunView, started: Event, made: Object) -> Fix:
    """`Net()` to `prepare_model(Net())`, and `DataLoader(...)` to `prepare_data_loader(DataLoader(...))`."""
    file = file_of(run, made.location)
    call, place = file.node(made.location, code.Call), file.place(made.location)
    kind = "loader" if made.kind == "loader" else "model"
    said = say(run, place, started.api, f"prepare_{kind}", **{kind: file.source(call)})
    title = f"Prepare the {kind} for the workers"
    return Fix(title, (*said.imports, replace(file, call, said.text)), Applicability.UNSAFE, _REASON)
