"""Devices: which one a value names, and where the index comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ddl_lint.analysis.values.lattice import alternatives, map_alternatives
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import mentions_flag, parts
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
    """The parts of a string that is put together, `f"cuda:{i}"` or `"cuda:" + str(i)`; nothing for other values."""
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
