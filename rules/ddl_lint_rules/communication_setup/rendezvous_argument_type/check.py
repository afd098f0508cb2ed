"""Finds strings in place of numbers, numbers in place of strings, and numbers in place of time spans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    ConsequenceName,
    Event,
    EventKind,
    Evidence,
    Finding,
    Items,
    Location,
    Rank,
    RunView,
    Setting,
    Value,
    WorldSize,
    accelerators,
    alternatives,
    always,
    is_number,
    is_number_text,
    quoted,
    uses,
    with_fix,
)
from ddl_lint.rulekit.events import InitProcessGroup, NewGroup, SetEnvironment, TextAsNumber
from ddl_lint_rules.communication_setup.rendezvous_argument_type.fix import as_number, as_text, as_time_span

_NUMBERS: dict[EventKind, tuple[str, ...]] = {
    "init_process_group": ("rank", "world_size"),
    "build_sampler": ("replicas", "rank"),
    "collective": ("root",),
    "point_to_point": ("peer",),
    "new_group": ("ranks",),
}
"""Kind of event -> the roles that are numbers."""

_OPERATIONS = {"==": "never equals a number", "!=": "differs from every number", "in": "is never among numbers"}


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place: where a variable is read, where one is set, where a group is created."""
    reported: set[Location] = set()
    for finding in (
        *_texts_for_numbers(run),
        *_numbers_for_texts(run),
        *_time_spans(run),
    ):
        if finding.location not in reported:
            reported.add(finding.location)
            yield finding


# --- a text for a number ----------------------------------------------------------------------------------------------


def _texts_for_numbers(run: RunView) -> Iterator[Finding]:
    for event in run.events(TextAsNumber):
        operation = str(getattr(event.operation, "value", ""))
        what = _OPERATIONS.get(operation) or (
            "cannot be used by `range`"
            if operation == "range"
            else f"cannot be combined with a number by `{operation}`"
        )
        consequence = "wrong-result" if operation in _OPERATIONS else "crash"
        yield from _texts(run, event, event.text, what, consequence)
    for event in run.events(*_NUMBERS):
        for role in _NUMBERS[event.kind]:
            value = event.operands.get(role)
            for part in value.items if isinstance(value, Items) else (value,):
                yield from _texts(run, event, part, "is passed where the call needs a number")
    for use in uses(run):
        indices = [device.index for device in accelerators(use.value)]
        if indices and all(map(is_number_text, indices)):
            yield from _texts(run, use.event, indices[0], "is not the index of a GPU")


def _texts(
    run: RunView, event: Event, value: Value | None, what: str, consequence: ConsequenceName = "crash"
) -> Iterator[Finding]:
    if not is_number_text(value) or value is None:
        return
    for text in alternatives(value):
        if isinstance(text, (Rank, WorldSize)) and text.location is not None:
            finding = Finding(
                f"{quoted(run, text.location, 'an environment variable')} is a string, which {what}",
                text.location,
                (Evidence("the string is used here", event.location),),
                help="Convert it where it is read: `int(...)`.",
                consequence=consequence,
            )
            yield with_fix(finding, as_number, run, text.location)


# --- a number for a text ----------------------------------------------------------------------------------------------


def _numbers_for_texts(run: RunView) -> Iterator[Finding]:
    for event in run.events(SetEnvironment):
        if always(event.value, _is_number_by_default):
            message = "an environment variable must be a string, and this value is a number"
            finding = Finding(message, event.location, help="Convert the value: `str(...)`.")
            yield with_fix(finding, as_text, run, event)


def _is_number_by_default(value: Value) -> bool:
    return is_number(value.default if isinstance(value, Setting) else value)


# --- a number for a time span -----------------------------------------------------------------------------------------


def _time_spans(run: RunView) -> Iterator[Finding]:
    for event in run.events(InitProcessGroup, NewGroup):
        timeout = event.operands.get("timeout", NONE)
        if always(timeout, _is_number_by_default) and not _takes_seconds(run, event):
            message = "`timeout=` must be a `datetime.timedelta`, and this value is a number"
            finding = Finding(message, event.location, help="Write `datetime.timedelta(seconds=...)`.")
            yield with_fix(finding, as_time_span, run, event)


def _takes_seconds(run: RunView, event: Event) -> bool:
    """Whether the library makes the time span itself: its own value, where none is given, is a number."""
    call = run.api.function(event.api)
    given = call.roles.get("timeout") if call is not None else None
    return call is not None and any(
        each.name == given and isinstance(each.default, (int, float)) for each in call.parameters or ()
    )
