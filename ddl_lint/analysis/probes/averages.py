"""Where something is divided by the length of a data set."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Frame, Machine, Probes
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program.values import Apply, Object, Value
from ddl_lint.source.span import Location


def average(probes: Probes) -> None:
    """Record `average`."""
    probes.on_binary.append(_divided)
    probes.on_augment.append(_divided)


def _divided(m: Machine, frame: Frame, sign: str, total: Value, count: Value, location: Location) -> None:
    if sign != "/":
        return
    while isinstance(count, Apply) and count.operator in ("float", "int") and count.operands:
        count = count.operands[0]
    if isinstance(count, Apply) and count.operator == "len":
        (counted,) = count.operands
        if any(isinstance(option, Object) and option.kind == "dataset" for option in alternatives(counted)):
            m.emit(frame, "average", location, {"total": total, "count": counted})
