"""Divides the loss of a replica by the whole batch."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Apply,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    file_of,
    name_at,
    render_idiom,
    replace_expression,
)
from ddl_lint.rulekit.events import CountByDevices


def divide_by_batch(run: RunView, term: Apply, call: Event, *, is_per_example: bool) -> Fix:
    """`tf.reduce_mean(losses)` to `tf.nn.compute_average_loss(losses, global_batch_size=GLOBAL)`."""
    if term.location is None or not is_per_example:
        raise Unfixable("whether there is one loss per example is for you to say")
    file = file_of(run, term.location)
    written = file.node(term.location, code.Call)
    if len(written.args) != 1 or written.keywords:
        raise Unfixable("the losses are not written out here")
    place = file.place(term.location)
    whole = [event for event in run.events(CountByDevices) if event.order < call.order]
    if len(whole) != 1:
        raise Unfixable("the size of the whole batch has no name")
    name = name_at(run, whole[0], place)
    said = render_idiom(run, place, call.api, "average_loss", losses=file.source(written.args[0]), batch=name)
    edits = (*said.imports, replace_expression(file, written, said.text))
    return Fix("Divide by the whole batch", edits, Applicability.SAFE)
