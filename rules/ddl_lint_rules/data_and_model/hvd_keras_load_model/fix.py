"""Loads the model with an optimizer that averages gradients."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    file_of,
    happens_without,
    parameter_of,
    render_idiom,
    replace_expression,
)


def fix(run: RunView, group: Event, load: Event) -> Fix:
    """`keras.models.load_model(path)` to `hvd.load_model(path)`."""
    if group.order > load.order or happens_without(run, load, group):
        raise Unfixable("the ranks form a group in some runs of the program only, or later")
    file = file_of(run, load.location)
    call = file.node(load.location, code.Call)
    path = parameter_of(run, load.api, "path")
    if len(call.args) > 1 or any(each.name not in (path, "custom_objects") for each in call.keywords):
        raise Unfixable("the other function takes other arguments")
    said = render_idiom(run, file.place(load.location), group.api, "load_to_train")
    edits = (*said.imports, replace_expression(file, call.func, said.text))
    return Fix("Load with Horovod's load_model", edits, Applicability.SAFE)
