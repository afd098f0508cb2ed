"""Gathers without the samples that fill up the last batch."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    file_of,
    loops,
    replace_expression,
)
from ddl_lint.rulekit.events import Collective


def fix(run: RunView, gathered: Event) -> Fix:
    """`accelerator.gather(predictions)` to `accelerator.gather_for_metrics(predictions)`."""
    edits = {each.location: _edit(run, each) for each in _beside(run, gathered)}
    return Fix(
        "Gather with gather_for_metrics, which drops the repeated samples", tuple(edits.values()), Applicability.SAFE
    )


def _beside(run: RunView, gathered: Event) -> list[Collective]:
    """What is gathered of the same batches, as what is known of them: both must keep the same length."""
    around = loops(gathered.context)[:1]
    return [
        each
        for each in run.events(Collective)
        if each.api == gathered.api and each.function is gathered.function and loops(each.context)[:1] == around
    ]


def _edit(run: RunView, gathered: Event) -> Edit:
    file = file_of(run, gathered.location)
    call = file.node(gathered.location, code.Call)
    name = _method(run, gathered)
    if not isinstance(call.func, code.Attribute) or call.keywords or name is None:
        raise Unfixable("the call is not written in a form that can be rewritten")
    return replace_expression(file, call.func, f"{file.source(call.func.value)}.{name}")


def _method(run: RunView, gathered: Event) -> str | None:
    """The method of the same class that gathers without repetitions."""
    owner = run.api.class_(gathered.api.rpartition(".")[0])
    for name, method in owner.methods.items() if owner is not None else ():
        constants = method.constants
        if constants.get("operation") == gathered.constants.get("operation") and constants.get("repeats") is False:
            return name
    return None
