"""Finds addresses and ports that each rank makes up for itself, although all ranks are to meet there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Event,
    Evidence,
    Finding,
    RunView,
    Severity,
    Value,
    disagreement,
    in_handler,
    in_process,
    is_constant,
    is_named_after_rank,
    may_span_nodes,
    meets_in_environment,
    undecided,
    variable_of,
)
from ddl_lint.rulekit.events import InitProcessGroup, SetEnvironment

_PLACES = ("MASTER_ADDR", "MASTER_PORT")
_ALONE = ("WORLD_SIZE", "RANK")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per group, and per variable that says where it meets."""
    for init in run.events(InitProcessGroup):
        if _is_alone(run, init):
            continue
        for event, value in _places(run, init):
            why = _why(run, event, value)
            if why is None:
                continue
            where, severity = why
            what = "the address" if event is init else f"`{variable_of(event)}`"
            evidence = () if event is init else (Evidence("all ranks must meet here", init.location),)
            yield Finding(
                f"each rank takes {what} from {where}, so the ranks never meet",
                event.location,
                evidence,
                severity=severity,
                help="Choose it once before the processes start, and give it to all of them, or use the launcher's.",
            )


def _places(run: RunView, init: InitProcessGroup) -> Iterator[tuple[Event, Value]]:
    """What says where the ranks of a group meet, and where it is said."""
    if "init_method" in init.operands:
        yield init, init.operands["init_method"]
    if not meets_in_environment(init):
        return
    latest: dict[str, Event] = {}
    for event in run.events(SetEnvironment):
        name = variable_of(event)
        if event.order < init.order and name in _PLACES and in_process(event) is in_process(init):
            latest[name] = event
    for event in latest.values():
        sure = not any(undecided(event)) and not in_handler(event)
        if sure and "default" not in event.operands:
            yield event, event.operands.get("value", NONE)


def _why(run: RunView, event: Event, value: Value) -> tuple[str, Severity | None] | None:
    """What each rank takes a place from, with the severity where it is another one only on other machines."""
    if is_named_after_rank(value):
        return "its own rank", None
    found = disagreement(run, event, value)
    if found is None or (found.by_machine and not may_span_nodes(run)):
        return None
    return found.own.value, Severity.INFO if found.by_machine else None


def _is_alone(run: RunView, init: InitProcessGroup) -> bool:
    """Whether a process makes a group of its own."""
    if is_constant(init.world_size, 1) or is_constant(init.rank, 0):
        return True
    return any(
        variable_of(event) in _ALONE and is_constant(event.value, "0", "1") for event in run.events(SetEnvironment)
    )
