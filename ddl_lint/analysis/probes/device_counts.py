"""Where a number is multiplied with, or divided by, the number of GPUs that the process sees, or of processes."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Frame, Machine, Probes
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.operators import bounds
from ddl_lint.analysis.values.tags import RANK_TAGS
from ddl_lint.program.values import Apply, Const, DeviceCount, Value, WorldSize
from ddl_lint.source.span import Location

_QUOTIENTS = frozenset({"/", "//"})


def count_by_devices(probes: Probes) -> None:
    """Record `count_by_devices`."""
    probes.on_binary.append(_counted)
    probes.on_augment.append(_counted)


def _counted(m: Machine, frame: Frame, sign: str, left: Value, right: Value, location: Location) -> None:
    sides = [(left, right)] if sign in _QUOTIENTS else [(left, right), (right, left)] if sign == "*" else []
    for value, count in sides:
        if _is_device_count(count) and not isinstance(value, WorldSize) and not m.tags_of(value) & RANK_TAGS:
            operands: dict[str, Value] = {"value": value, "operation": Const(sign), "count": count}
            event = m.emit(frame, "count_by_devices", location, operands)
            event.result = Apply(sign, (left, right))
            return


def _is_device_count(value: Value) -> bool:
    """Whether a value is the number of GPUs, if there are any: `device_count()`, `max(1, device_count())`; or that of
    the processes.
    """
    if isinstance(value, WorldSize):
        return True
    while isinstance(value, Apply) and value.operator in ("int", "float") and value.operands:
        value = value.operands[0]
    options = value.operands if isinstance(value, Apply) and value.operator == "max" else tuple(alternatives(value))
    return any(isinstance(option, DeviceCount) for option in options) and all(
        isinstance(option, DeviceCount) or bounds(option) in ((0, 0), (1, 1)) for option in options
    )
