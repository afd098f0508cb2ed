"""Questions about devices: what is put on which, and which of them a job may use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.analysis.syntactic.mentions import computed_keys
from ddl_lint.analysis.values.contexts import in_process
from ddl_lint.analysis.values.devices import UNKNOWN_DEVICE, devices
from ddl_lint.analysis.view import RunView
from ddl_lint.program.event_types import SetEnvironment
from ddl_lint.program.events import EventKind
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Const, Items, Table, Value

# --- what the process sees ------------------------------------------------------------------------------------------


def hides_devices(run: RunView, process: Context | None) -> Iterator[SetEnvironment]:
    """Assignments, in a process or in the one that starts it, of the variable that chooses the visible GPUs."""
    names = run.api.conventions.names.get("visible_devices", ())
    for event in run.events(SetEnvironment):
        variable = event.variable
        if isinstance(variable, Const) and variable.value in names and in_process(event) in (None, process):
            yield event


def may_see_own_device(run: RunView, process: Context | None) -> bool:
    """Whether each process may see devices of its own: what chooses the visible ones is computed, in this run or in a
    way of its files that another launcher takes.
    """
    chosen = (event.value for event in hides_devices(run, process))
    return any(not isinstance(value, Const) for value in chosen) or run.once(_hides_computed_devices)


def _hides_computed_devices(run: RunView) -> bool:
    names = run.api.conventions.names.get("visible_devices", ())
    return any(not computed_keys(module).isdisjoint(names) for module in run.modules.values())


# --- what a run does with devices -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeviceUse:
    """A place where a call is given a device."""

    event: Event
    value: Value


ROLES: dict[EventKind, tuple[str, ...]] = {
    "place": ("device",),
    "select_device": ("device",),
    "collective": ("device",),
    "init_process_group": ("device",),
    "load": ("map_location",),
    "wrap_model": ("device_ids", "output_device"),
    "load_pretrained": ("devices",),
}
"""Kind of event -> the roles that tell it a device."""


def uses(run: RunView, *kinds: EventKind) -> Iterator[DeviceUse]:
    """The uses of devices, in order; of events of these kinds, or of all."""
    known = run.once(_uses)
    return (use for use in known if use.event.kind in kinds) if kinds else iter(known)


def _uses(run: RunView) -> list[DeviceUse]:
    return list(_all_uses(run))


def _all_uses(run: RunView) -> Iterator[DeviceUse]:
    for event in run.events(*ROLES):
        for role in ROLES[event.kind]:
            value = event.operands.get(role)
            for option in (NONE,) if value is None else _members(value):
                if option != NONE:
                    yield DeviceUse(event, option)


def _members(value: Value) -> tuple[Value, ...]:
    """The one device of a list of one, or of a dict that maps all of a model to it."""
    if isinstance(value, Table):
        return (value.items[0][1],) if len(value.items) == 1 and not value.open else ()
    if isinstance(value, Items) and not value.open and value.kind in ("list", "tuple"):
        return value.items if len(value.items) == 1 else ()
    return (value,)


def chooses_device(event: Event) -> bool:
    """Whether an event chooses the current GPU of the process."""
    named = devices(event.operands.get("device"))
    return not named or any(device.is_accelerator or device == UNKNOWN_DEVICE for device in named)
