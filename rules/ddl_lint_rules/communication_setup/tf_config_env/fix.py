"""Sets `TF_CONFIG` in time, and as JSON."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    bring_forward,
    code,
    dotted,
    file_of,
    render_idiom,
    replace_expression,
)


def set_first(run: RunView, late: Event, strategy: Event) -> Fix:
    """The assignment before the strategy."""
    return Fix("Set it before the strategy is made", bring_forward(run, late, strategy), Applicability.SAFE)


def write_json(run: RunView, event: Event, api: str) -> Fix:
    """`str({...})`, or the dict itself, to `json.dumps({...})`."""
    file = file_of(run, event.location)
    place = file.place(event.location)
    value = place.statement.value if isinstance(place.statement, code.Assign) else None
    if value is None:
        raise Unfixable("the value is not assigned here")
    data = value
    if isinstance(value, code.Call):
        if dotted(value.func) not in ("str", "repr") or len(value.args) != 1 or value.keywords:
            raise Unfixable("the text is not made here")
        data = value.args[0]
    said = render_idiom(run, place, api, "as_json", data=file.source(data))
    edits = (*said.imports, replace_expression(file, value, said.text))
    return Fix("Write it as JSON", edits, Applicability.SAFE)
