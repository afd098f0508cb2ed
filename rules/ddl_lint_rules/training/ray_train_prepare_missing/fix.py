"""Prepares what the workers train with."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, Object, RunView, code, file_of, render_idiom, replace_expression

_REASON = "moves the model and its batches to the worker's device, which the program may not expect"


def fix(run: RunView, started: Event, made: Object) -> Fix:
    """`Net()` to `prepare_model(Net())`, and `DataLoader(...)` to `prepare_data_loader(DataLoader(...))`."""
    file = file_of(run, made.location)
    call, place = file.node(made.location, code.Call), file.place(made.location)
    kind = "loader" if made.kind == "loader" else "model"
    said = render_idiom(run, place, started.api, f"prepare_{kind}", **{kind: file.source(call)})
    title = f"Prepare the {kind} for the workers"
    return Fix(title, (*said.imports, replace_expression(file, call, said.text)), Applicability.UNSAFE, _REASON)
