"""Divides summed gradients by the number of ranks."""

from __future__ import annotations

from ddl_lint.rulekit import (
    NONE,
    Applicability,
    Const,
    Event,
    Fix,
    RunView,
    Unfixable,
    argument_of,
    code,
    dotted,
    file_of,
    insert_after,
    render_idiom,
    value_of,
)


def fix_sum(run: RunView, event: Event) -> Fix:
    """`all_reduce(p.grad)` to the same, followed by `p.grad /= get_world_size()`."""
    file = file_of(run, event.location)
    call, place = file.node(event.location, code.Call), file.place(event.location)
    if not isinstance(place.statement, code.Evaluate) or place.statement.value is not call:
        raise Unfixable("the call is part of a larger expression")
    if event.operands.get("asynchronous", NONE) not in (NONE, Const(False)) or "asynchronous" in event.unseen:
        raise Unfixable("the sum is not ready when the call returns")
    given = argument_of(run, event.api, call, "tensor")
    if given is None or dotted(value_of(given)) is None:
        raise Unfixable("the gradient has no name")
    said = render_idiom(run, place, event.api, "divide_in_place", tensor=file.source(value_of(given)))
    edits = (*insert_after(place, said.text), *said.imports)
    return Fix("Divide the gradient by the number of ranks", edits, Applicability.SAFE)


def fix_loss(_: RunView) -> Fix:
    """There is none."""
    raise Unfixable("cannot tell whether to average the gradients or only to log the loss")
