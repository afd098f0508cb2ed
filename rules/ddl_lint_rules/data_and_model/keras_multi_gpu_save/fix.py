"""Saves the template in place of the parallel model."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    argument_of,
    code,
    dotted,
    file_of,
    name_given,
    replace_expression,
    value_of,
)


def template_name(run: RunView, wrap: Event, event: Event) -> str:
    """The name of the model that a parallel one was made of, at a later place of the same function.

    Raises:
        Unfixable: it has none, or lost it to the parallel one.
    """
    origin, file = file_of(run, wrap.location), file_of(run, event.location)
    given = argument_of(run, wrap.api, origin.node(wrap.location, code.Call), "model")
    name = dotted(value_of(given)) if given is not None else None
    place, made = file.place(event.location), origin.place(wrap.location)
    is_same_file = place.file.document.path == made.file.document.path
    if name is None or name == name_given(run, wrap) or not is_same_file:
        raise Unfixable("the template has no name of its own")
    if place.function is not made.function and not name.startswith("self."):
        raise Unfixable("the template has no name here")
    return name


def save_template(run: RunView, wrap: Event, save: Event) -> Fix:
    """`parallel.save(path)` to `model.save(path)`."""
    name = template_name(run, wrap, save)
    file = file_of(run, save.location)
    call = file.node(save.location, code.Call)
    if not isinstance(call.func, code.Attribute) or dotted(call.func.value) is None or "object" not in save.operands:
        raise Unfixable("a callback must be written that saves the template")
    edit = replace_expression(file, call.func.value, name)
    return Fix(f"Save `{name}`", (edit,), Applicability.SAFE)
