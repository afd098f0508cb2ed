"""Prepares the TPU system before the strategy, and batches of one size."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Object,
    RunView,
    Unfixable,
    code,
    dotted,
    file_of,
    insert_before,
    put_off,
    render_idiom,
    set_keyword,
)


def initialize(run: RunView, made: Event) -> Fix:
    """`initialize_tpu_system(resolver)` before the strategy."""
    file = file_of(run, made.location)
    call = file.node(made.location, code.Call)
    given = [*call.args, *(each.value for each in call.keywords if each.name == "tpu_cluster_resolver")]
    name = dotted(given[0]) if given else None
    if name is None:
        raise Unfixable("the resolver has no name here")
    place = file.place(made.location)
    said = render_idiom(run, place, made.api, "start_tpu", resolver=name)
    edits = (*said.imports, *insert_before(place, said.text))
    return Fix("Initialize the TPU system before the strategy is made", edits, Applicability.SAFE)


def make_later(run: RunView, early: Event, made: Event) -> Fix:
    """The data after the strategy."""
    return Fix("Make the data after the strategy", put_off(run, early, made), Applicability.SAFE)


def drop_remainder(run: RunView, batched: Object) -> Fix:
    """`ds.batch(size)` to `ds.batch(size, drop_remainder=True)`."""
    file = file_of(run, batched.location)
    call = file.node(batched.location, code.Call)
    if len(call.args) > 1:
        raise Unfixable("the argument is given by position")
    edit = set_keyword(file, call, "drop_remainder", "True")
    return Fix("Pass drop_remainder=True", (edit,), Applicability.SAFE)
