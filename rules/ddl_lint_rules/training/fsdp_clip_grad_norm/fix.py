"""Clips with the method of the wrapper, which knows the whole norm."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Object,
    RunView,
    Unfixable,
    argument_of,
    code,
    file_of,
    is_object,
    may_be_unwrapped,
    method_for,
    positional_of,
    remove_argument,
    replace_expression,
)
from ddl_lint.rulekit.domain import Parameter


def fix(run: RunView, clip: Event, parameters: Sequence[Object], wrapper: Object) -> Fix:
    """`clip_grad_norm_(model.parameters(), 1.0)` to `model.clip_grad_norm_(1.0)`."""
    file = file_of(run, clip.location)
    call = file.node(clip.location, code.Call)
    given = argument_of(run, clip.api, call, "parameters")
    places = {part.location for part in parameters}
    method = None if wrapper.api is None else method_for(run, wrapper.api, clip.kind)
    if may_be_unwrapped(run, clip, (wrapper,)) or not all(
        is_object(Parameter(part).model, "model") and part.given["of"] is wrapper for part in parameters
    ):
        raise Unfixable("in another kind of run the model has no such method")
    if given is None or method is None or len(places) != 1:
        raise Unfixable("the call does not name the model")
    (place,) = places
    if place.path != clip.location.path or not (given.start <= place.start and place.end <= given.end):
        raise Unfixable("the call does not name the model")
    source = file.node(place, code.Call).func
    if not isinstance(source, code.Attribute):
        raise Unfixable("the call does not name the model")
    names = positional_of(run, f"{wrapper.api}.{method}")
    own = positional_of(run, clip.api)
    others = [*own[1 : len(call.args)], *(each.name for each in call.keywords if each is not given)]
    if others != [*names[: len(call.args) - 1], *others[len(call.args) - 1 :]] or not set(others) <= set(names):
        raise Unfixable("the wrapper's method takes other arguments")
    edits = (
        replace_expression(file, call.func, f"{file.source(source.value)}.{method}"),
        remove_argument(file, call, given),
    )
    return Fix("Call the wrapper's clip_grad_norm_", edits, Applicability.SAFE)
