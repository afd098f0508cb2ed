"""Batches with the size of all replicas."""

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
    name_at,
    replace_expression,
)


def use_whole(run: RunView, batched: Object, whole: Event) -> Fix:
    """`.batch(PER_REPLICA)` to `.batch(GLOBAL)`."""
    file, size = file_of(run, batched.location), _size(run, batched)
    place = file.place(batched.location)
    factor = file_of(run, whole.location).node(whole.location, code.Binary)
    if dotted(size) not in (dotted(factor.left), dotted(factor.right)):
        raise Unfixable("the size comes from elsewhere")
    name = name_at(run, whole, place)
    return Fix(f"Batch with `{name}`", (replace_expression(file, size, name),), Applicability.SAFE)


def ask_for_own(run: RunView, batched: Object) -> Fix:
    """`.batch(GLOBAL)` to `.batch(context.get_per_replica_batch_size(GLOBAL))`."""
    file, size = file_of(run, batched.location), _size(run, batched)
    function = file.place(batched.location).function
    if function is None or len(function.parameters) != 1:
        raise Unfixable("the input function is called by another one")
    text = f"{function.parameters[0].name}.get_per_replica_batch_size({file.source(size)})"
    return Fix("Ask for the batch of one replica", (replace_expression(file, size, text),), Applicability.SAFE)


def _size(run: RunView, batched: Object) -> code.Expression:
    file = file_of(run, batched.location)
    call = file.node(batched.location, code.Call)
    given = [*call.args, *(each.value for each in call.keywords if each.name == "batch_size")]
    if not given:
        raise Unfixable("the size is not written out here")
    return given[0]
