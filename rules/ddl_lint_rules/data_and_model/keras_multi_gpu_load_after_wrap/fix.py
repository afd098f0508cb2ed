"""Loads weights into the template."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    file_of,
    replace_expression,
)
from ddl_lint_rules.data_and_model.keras_multi_gpu_save.fix import template_name


def load_into_template(run: RunView, wrap: Event, load: Event) -> Fix:
    """`parallel.load_weights(path)` to `model.load_weights(path)`; the two share their weights."""
    name = template_name(run, wrap, load)
    file = file_of(run, load.location)
    call = file.node(load.location, code.Call)
    if not isinstance(call.func, code.Attribute):
        raise Unfixable("the method is called out of sight")
    edit = replace_expression(file, call.func.value, name)
    return Fix(f"Load the weights into `{name}`", (edit,), Applicability.SAFE)
