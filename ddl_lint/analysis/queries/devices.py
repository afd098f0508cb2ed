"""Questions about devices: which one a value names, and where the index comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ddl_lint.analysis.queries.control_context import in_process, mentions_flag, parts
from ddl_lint.analysis.values.operations import RANK_TAGS, alternatives, map_alternatives, tags_of
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Apply, Const, Items, Object, Rank, Setting, Unknown, Value
from ddl_lint.source.span import Location

_NAME = re.compile(r"([a-z]+)(?::(\d{1,9})?)?")
_ACCELERATOR = "cuda"


@dataclass(frozen=True, slots=True)
class Device:
    """A device as a program names it."""

    kind: str
    """`cuda`, `cpu`, `meta` and so on; empty where that is not known."""

    index: Value | None = None
    """None where the name has no index: then it is the current device of that kind."""

    origin: Location | None = None
    """Where the device object was made or the name was written, None when it is only a number."""

    @property
    def is_current(self) -> bool:
        """Whether it is the accelerator that the process has chosen, or number 0 when it has chosen none."""
        return self.kind == _ACCELERATOR and self.index is None

    @property
    def is_accelerator(self) -> bool:
        """Whether it is surely a GPU."""
        return self.kind == _ACCELERATOR


UNKNOWN_DEVICE = Device("")


def devices(value: Value | None) -> tuple[Device, ...]:
    """The devices that a value may name: one per alternative, `UNKNOWN_DEVICE` where it says nothing."""
    if value is None:
        return ()
    return tuple(device for option in alternatives(value) for device in _devices_of(option))


def accelerators(value: Value | None) -> tuple[Device, ...]:
    """The GPUs among the devices that a value may name; nothing when one of them is not known."""
    named = devices(value)
    return () if UNKNOWN_DEVICE in named else tuple(device for device in named if device.is_accelerator)


def is_current_device(value: Value | None) -> bool:
    """Whether a value names the current GPU, or, for lack of one, the CPU."""
    found = accelerators(value)
    return bool(found) and all(device.is_current for device in found)


def _devices_of(value: Value) -> Iterable[Device]:
    if isinstance(value, Object):
        return _made(value) if value.kind == "device" else (UNKNOWN_DEVICE,)
    if isinstance(value, Setting) and value.default == Const(_ACCELERATOR):
        return (Device(_ACCELERATOR, None, value.default.location if isinstance(value.default, Const) else None),)
    if isinstance(value, Const) and isinstance(value.value, str):
        match = _NAME.fullmatch(value.value)
        if match is None:
            return (UNKNOWN_DEVICE,)
        index = None if match[2] is None else Const(int(match[2]))
        return (Device(match[1], index, value.location),)
    if isinstance(value, Const):
        is_number = isinstance(value.value, int) and not isinstance(value.value, bool) and value.value >= 0
        return (Device(_ACCELERATOR, value),) if is_number else (UNKNOWN_DEVICE,)
    if isinstance(value, Apply) and value.operator == "index" and _is_list_of_devices(value.operands[0]):
        return (Device(_ACCELERATOR, value.operands[1]),)
    pieces = text_parts(value)
    if len(pieces) == 2 and isinstance(pieces[0], Const) and isinstance(pieces[0].value, str):
        kind, colon, rest = pieces[0].value.partition(":")
        if colon and not rest:
            origin = value.location if isinstance(value, Apply) else None
            return tuple(Device(kind, option, origin) for option in alternatives(_as_index(pieces[1])))
        return (UNKNOWN_DEVICE,)
    if isinstance(value, Rank) or (
        isinstance(value, Apply) and value.operator in "+-*//%" and tags_of(value) & RANK_TAGS
    ):
        return (Device(_ACCELERATOR, value),)
    return (UNKNOWN_DEVICE,)


def _is_list_of_devices(value: Value) -> bool:
    """Whether a value is the list of the accelerators that a process sees."""
    return (
        isinstance(value, Items)
        and value.open
        and bool(value.items)
        and all(isinstance(item, Object) and item.given.get("type") == Const(_ACCELERATOR) for item in value.items)
    )


def asks_for_devices(condition: Value) -> bool:
    """Whether a condition asks if there are accelerators: by a flag, or by the list of them."""
    return mentions_flag(condition, "cuda") or any(map(_is_list_of_devices, parts(condition)))


def _made(device: Object) -> Iterator[Device]:
    """The devices that a device object may be, made of a kind and an index, of a name, or of a number."""
    index = device.given.get("index")
    for named in devices(device.given.get("type")) or (UNKNOWN_DEVICE,):
        if index is None or index == NONE or named == UNKNOWN_DEVICE:
            yield Device(named.kind, named.index, device.location) if named != UNKNOWN_DEVICE else named
        else:
            for option in alternatives(index):
                yield Device(named.kind, option, device.location)


def part_of(device: Object, name: str) -> Value:
    """The `type` or the `index` of a device object, however its name was given."""
    given = device.given.get("type")
    if given is None:
        return Unknown((device, name))
    if name == "index" and device.given.get("index", NONE) != NONE:
        return device.given["index"]

    def read(option: Value) -> Value:
        named = list(_devices_of(option))
        if len(named) != 1 or named[0] == UNKNOWN_DEVICE:
            return Unknown((device, name), tags_of(option) if name == "index" else frozenset())
        return Const(named[0].kind) if name == "type" else named[0].index or NONE

    return map_alternatives(given, read)


def text_parts(value: Value) -> tuple[Value, ...]:
    """The parts of a text that is put together, `f"cuda:{i}"` or `"cuda:" + str(i)`; nothing for other values."""
    if not isinstance(value, Apply):
        return ()
    if value.operator == "text":
        return value.operands
    if value.operator == "+" and isinstance(value.operands[0], Const) and isinstance(value.operands[0].value, str):
        return value.operands
    return ()


def _as_index(part: Value) -> Value:
    """A number that was turned into text."""
    if isinstance(part, Rank):
        return Rank(part.scope, source=part.source)
    if isinstance(part, Apply) and part.operator == "text" and len(part.operands) == 1:
        return part.operands[0]
    return part


# --- what the process sees ------------------------------------------------------------------------------------------


def hides_devices(project: ProjectView, run: RunView, process: Context | None) -> Iterator[Event]:
    """Assignments, in a process or in the one that starts it, of the variable that chooses the visible GPUs."""
    names = project.api.conventions.names.get("visible_devices", ())
    for event in run.events("set_environment"):
        variable = event.operands.get("variable")
        if isinstance(variable, Const) and variable.value in names and in_process(event) in (None, process):
            yield event


# --- what a run does with devices -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a call is told a device."""

    event: Event
    value: Value


ROLES = {
    "place": ("device",),
    "select_device": ("device",),
    "collective": ("device",),
    "init_process_group": ("device",),
    "load": ("map_location",),
    "wrap_model": ("device_ids", "output_device"),
}
"""Kind of event -> the roles that tell it a device."""


def uses(run: RunView, *kinds: str) -> Iterator[Use]:
    """The uses of devices, in order; of events of these kinds, or of all."""
    known = run.once(_uses)
    return (use for use in known if use.event.kind in kinds) if kinds else iter(known)


def _uses(run: RunView) -> list[Use]:
    return list(_all_uses(run))


def _all_uses(run: RunView) -> Iterator[Use]:
    for event in run.events(*ROLES):
        for role in ROLES[event.kind]:
            value = event.operands.get(role)
            for option in (NONE,) if value is None else _members(value):
                if option != NONE:
                    yield Use(event, option)


def _members(value: Value) -> tuple[Value, ...]:
    """The one device of a list of one."""
    if isinstance(value, Items) and not value.open and value.kind in ("list", "tuple"):
        return value.items if len(value.items) == 1 else ()
    return (value,)


def chooses_device(event: Event) -> bool:
    """Whether an event chooses the current GPU of the process."""
    named = devices(event.operands.get("device"))
    return not named or any(device.is_accelerator or device == UNKNOWN_DEVICE for device in named)


def backends(init: Event) -> frozenset[str]:
    """The backends that a group may have, as far as they are written in the code; a setting counts by its default."""
    found: set[str] = set()
    for option in alternatives(init.operands.get("backend", NONE)):
        written = option.default if isinstance(option, Setting) else option
        if isinstance(written, Const) and isinstance(written.value, str):
            found.add(written.value.lower())
    return frozenset(found)


def joins_gpus(init: Event) -> bool:
    """Whether a group may exchange tensors of GPUs only: its backend, where it is written, names NCCL."""
    return any("nccl" in backend for backend in backends(init))
