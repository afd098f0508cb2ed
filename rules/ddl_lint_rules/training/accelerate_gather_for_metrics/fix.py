"""Gathers without the samples that fill up the last batch."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, Unfixable, code, file_of, replace_expression


def fix(run: RunView, gathered: Event) -> Fix:
    """`accelerator.gather(predictions)` to `accelerator.gather_for_metrics(predictions)`."""
    file = file_of(run, gathered.location)
    call = file.node(gathered.location, code.Call)
    name = _method(run, gathered)
    if not isinstance(call.func, code.Attribute) or call.keywords or name is None:
        raise Unfixable("the call has a form that cannot be taken over")
    new = f"{file.source(call.func.value)}.{name}"
    return Fix(
        "Leave out what fills up the last batch", (replace_expression(file, call.func, new),), Applicability.SAFE
    )


def _method(run: RunView, gathered: Event) -> str | None:
    """The method of the same class that gathers without repetitions."""
    owner = run.api.class_(gathered.api.rpartition(".")[0])
    for name, method in owner.methods.items() if owner is not None else ():
        constants = method.constants
        if constants.get("operation") == gathered.constants.get("operation") and constants.get("repeats") is False:
            return name
    return None
