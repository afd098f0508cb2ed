"""Sends the weights of one rank to the others before the training."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    Fix,
    RunView,
    Unfixable,
    add_keyword,
    argument_of,
    code,
    file_of,
    insert_after,
    insert_item,
    model_named,
    name_given,
    objects,
    parameter_of,
    render_idiom,
    scope_of,
    value_of,
    walk,
    wrapped_by,
)
from ddl_lint.rulekit.events import Prepare

_REASON = "adds communication, and overwrites weights that all ranks may have read from a file"


def fix(run: RunView, wrap: Prepare, training: Event) -> Fix:
    """A callback that broadcasts, or the broadcasts of the weights and the optimizer's state after its wrapping."""
    if not objects(wrap.result, "optimizer"):
        raise Unfixable("the variables exist only after the first step, and have to be broadcast after it")
    edits = _called_back(run, training) if training.kind == "fit" else _sent(run, wrap)
    return Fix("Broadcast the weights of rank 0 before training", edits, Applicability.UNSAFE, _REASON)


def _sent(run: RunView, wrap: Prepare) -> tuple[Edit, ...]:
    file = file_of(run, wrap.location)
    place, optimizer = file.place(wrap.location), name_given(run, wrap)
    parameters = [made.given["parameters"] for made in wrapped_by(wrap) if "parameters" in made.given]
    if not parameters:
        raise Unfixable("the session has to broadcast when it starts")
    model = model_named(run, parameters[0], place)
    weights = render_idiom(run, place, wrap.api, "broadcast_weights", model=model)
    state = render_idiom(run, place, wrap.api, "broadcast_optimizer", optimizer=optimizer)
    return (*weights.imports, *insert_after(place, f"{weights.text}\n{state.text}"))


def _called_back(run: RunView, fit: Event) -> tuple[Edit, ...]:
    file = file_of(run, fit.location)
    call, place = file.node(fit.location, code.Call), file.place(fit.location)
    group = _api_of_group(run)
    said = render_idiom(run, place, group, "broadcast_at_start")
    name = parameter_of(run, fit.api, "callbacks")
    given = argument_of(run, fit.api, call, "callbacks")
    if name is None:
        raise Unfixable("the training call takes no callbacks")
    if given is None:
        return (*said.imports, add_keyword(file, call, name, f"[{said.text}]"))
    written = value_of(given)
    if isinstance(written, code.Name):
        values = [
            node.value
            for node in walk(*scope_of(place))
            if isinstance(node, code.Assign) and any(file.source(each) == written.id for each in node.targets)
        ]
        written = values[0] if len(values) == 1 and values[0] is not None else written
    if not isinstance(written, code.Display) or written.kind != "list" or not written.items:
        raise Unfixable("the list of callbacks is built elsewhere")
    return (*said.imports, insert_item(file, written.items[0], said.text))


def _api_of_group(run: RunView) -> str:
    return next(group.api for group in run.groups() if run.api.group_of(group.api))
