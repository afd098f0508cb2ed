"""Gathers parameters before they are changed, and keeps what is written."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Object,
    RunView,
    Symbol,
    Unfixable,
    Value,
    code,
    dotted,
    file_of,
    render_idiom,
    set_keyword,
    wrap,
)

_REASON = "gathering takes memory, and the values of rank 0 count"


def keep(run: RunView, gathering: Object, modifier: str) -> Fix:
    """`GatheredParameters(weight)` to `GatheredParameters(weight, modifier_rank=0)`."""
    file = file_of(run, gathering.location)
    call = file.node(gathering.location, code.Call)
    edit = set_keyword(file, call, modifier, "0")
    return Fix("Pass modifier_rank=0", (edit,), Applicability.UNSAFE, _REASON)


def gather(run: RunView, api: str, event: Event) -> Fix:
    """`with GatheredParameters(layer.weight, modifier_rank=0):` around `init.normal_(layer.weight)`."""
    file = file_of(run, event.location)
    place = file.place(event.location)
    statement = place.statement
    call = statement.value if isinstance(statement, code.Evaluate) else None
    if not isinstance(call, code.Call) or call.start != event.location.start:
        raise Unfixable("the change is part of a larger statement")
    written = (
        call.args[0] if call.args and event.api else call.func.value if isinstance(call.func, code.Attribute) else None
    )
    parameter = _itself(run, written, event.operands["object"])
    if parameter is None or dotted(parameter) is None:
        raise Unfixable("the parameter has no name")
    said = render_idiom(run, place, api, "gather", parameters=file.source(parameter))
    edits = (*said.imports, *wrap(place, f"with {said.text}:"))
    return Fix("Gather the parameter before changing it", edits, Applicability.UNSAFE, _REASON)


def _itself(run: RunView, written: code.Expression | None, value: Value) -> code.Expression | None:
    """The parameter in what is written: without attributes that give it back, such as `data`."""
    if isinstance(value, Symbol):
        name = value.name.rpartition(".")[2]
        while isinstance(written, code.Attribute) and written.attr != name:
            written = written.value
        return written if isinstance(written, code.Attribute) else None
    model = run.api.class_(value.api) if isinstance(value, Object) and value.api is not None else None
    known = () if model is None else run.api.ancestors(model)
    while isinstance(written, code.Attribute):
        given = [each.attributes[written.attr].kind for each in known if written.attr in each.attributes]
        if given[:1] != ["self"]:
            break
        written = written.value
    return written
