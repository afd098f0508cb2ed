"""Gathers the state before it is saved, and divides it when it is loaded."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Context,
    Event,
    File,
    Fix,
    Object,
    Place,
    RunView,
    Span,
    Unfixable,
    argument_of,
    code,
    dotted,
    file_of,
    insert_before,
    names_around,
    names_bound,
    objects,
    rank_guards,
    render_idiom,
    replace_expression,
)
from ddl_lint.rulekit.events import StateDict

_NAME = "state"


def fix_save(run: RunView, save: Event, state: Object) -> Fix:
    """`torch.save(model.state_dict(), path)` to one of the gathered state, which is asked for on all ranks."""
    file = file_of(run, state.location)
    call = file.node(state.location, code.Call)
    if not isinstance(call.func, code.Attribute) or call.args or call.keywords:
        raise Unfixable("the state does not come from a method of the model here")
    model = file.source(call.func.value)
    place = file.place(state.location)
    taken = next((event for event in run.events(StateDict) if state in objects(event.result)), None)
    if taken is None:
        raise Unfixable("cannot tell which ranks take the state")
    if not rank_guards(save.context):
        raise Unfixable("all ranks write this file, and the gathered state is empty on all but one of them")
    outer = _outermost(place, rank_guards(taken.context))
    whole = render_idiom(run, outer, save.api, "whole_state", model=model)
    if outer is place:
        edits = (*whole.imports, replace_expression(file, call, whole.text))
    else:
        root = dotted(call.func.value)
        if root is None or root in names_bound(outer.statement):
            raise Unfixable("the model has no name before the rank check")
        name = next(f"{_NAME}{n}" for n in ("", *range(2, 99)) if f"{_NAME}{n}" not in names_around(outer))
        edits = (*whole.imports, *insert_before(outer, f"{name} = {whole.text}"), replace_expression(file, call, name))
    return Fix("Gather the full state on all ranks before saving it", edits, Applicability.SAFE)


def _outermost(place: Place, guards: list[Context]) -> Place:
    """The outermost of the `if` statements that keep some ranks from a place, or the place."""
    file: File = place.file
    left = {(node.location.start, node.location.end) for node in guards}
    found = place
    for owner in reversed(place.owners):
        if isinstance(owner, (code.Function, code.Class)):
            break
        if isinstance(owner, code.If) and (owner.test.start, owner.test.end) in left:
            left.discard((owner.test.start, owner.test.end))
            found = file.place(Span(owner.start, owner.end))
    if left:
        raise Unfixable("the rank check is not an `if` around the call")
    if found.is_elif:
        raise Unfixable("there is no place before the rank check")
    return found


def fix_load(run: RunView, load: Event) -> Fix:
    """`model.load_state_dict(state)` to `set_model_state_dict(model, state, options=...)`."""
    file = file_of(run, load.location)
    call = file.node(load.location, code.Call)
    given = argument_of(run, load.api, call, "state")
    if not isinstance(call.func, code.Attribute) or len(call.args) + len(call.keywords) != 1 or given is None:
        raise Unfixable("the call has other arguments, which mean something else there")
    if rank_guards(load.context):
        raise Unfixable("not all ranks reach this line")
    value = given.value if isinstance(given, code.Keyword) else given
    place = file.place(load.location)
    model, state = file.source(call.func.value), file.source(value)
    words = render_idiom(run, place, load.api, "load_whole_state", model=model, state=state)
    edits = (*words.imports, replace_expression(file, call, words.text))
    return Fix("Load with set_model_state_dict", edits, Applicability.SAFE)


def no_fix(_: RunView, reason: str) -> Fix:
    """Raises `Unfixable` for a reason."""
    raise Unfixable(reason)
