"""Turns a value into what is wanted where it is read or given: `int`, `str`, `datetime.timedelta`."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    File,
    Fix,
    Location,
    Rank,
    RunView,
    Unfixable,
    WorldSize,
    alternatives,
    argument_of,
    code,
    file_of,
    render_idiom,
    replace_expression,
    value_of,
)
from ddl_lint.rulekit.events import SetEnvironment


def as_number(run: RunView, place: Location) -> Fix:
    """`int(...)` around the place that reads a variable."""
    file = file_of(run, place)
    if any(_comes_from(event, place) for event in run.events(SetEnvironment)):
        raise Unfixable("the string is also used as a string")
    call = file.around(place, code.Call, code.Subscript)
    if call is None or (call.start, call.end) != (place.start, place.end):
        raise Unfixable("the variable is not read here")
    may_be_missing = isinstance(call, code.Call) and len(call.args) < 2
    return Fix(
        "Convert the string with int()",
        (file.edit(place.start, place.start, "int("), file.edit(place.end, place.end, ")")),
        Applicability.UNSAFE if may_be_missing else Applicability.SAFE,
        "Without a launcher the variable may be missing, and `int()` fails" if may_be_missing else "",
    )


def _comes_from(event: SetEnvironment, place: Location) -> bool:
    value = event.value
    return value is not None and any(
        isinstance(each, (Rank, WorldSize)) and each.location == place for each in alternatives(value)
    )


def as_text(run: RunView, event: Event) -> Fix:
    """`str(...)` around the value that a variable is set to; quotation marks around a literal."""
    file = file_of(run, event.location)
    value = _value(file, event)
    text = file.source(value)
    new = file.string(text) if isinstance(value, code.Literal) else f"str({text})"
    return Fix("Convert the number with str()", (replace_expression(file, value, new),), Applicability.SAFE)


def _value(file: File, event: Event) -> code.Expression:
    """What is assigned, or the second argument of a call."""
    statement = file.place(event.location).statement
    if isinstance(statement, code.Assign) and (event.location.start, event.location.end) in [
        (target.start, target.end) for target in statement.targets
    ]:
        if statement.value is None:
            raise Unfixable("nothing is assigned here")
        return statement.value
    call = file.node(event.location, code.Call)
    if len(call.args) != 2 or call.keywords:
        raise Unfixable("the value is not a literal where the variable is set")
    return call.args[1]


def as_time_span(run: RunView, event: Event) -> Fix:
    """The number as the seconds of a time span."""
    file = file_of(run, event.location)
    given = argument_of(run, event.api, file.node(event.location, code.Call), "timeout")
    if given is None:
        raise Unfixable("the timeout is not a literal in the call")
    value = value_of(given)
    wording = render_idiom(run, file.place(event.location), event.api, "time_span", seconds=file.source(value))
    return Fix(
        "Write the timeout as datetime.timedelta",
        (*wording.imports, replace_expression(file, value, wording.text)),
        Applicability.SAFE,
    )
