"""Where the program changes the groups of parameters of an optimizer."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Frame, Machine, Probes
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.program import code
from ddl_lint.program.values import Alternatives, Apply, Value


def set_group(probes: Probes) -> None:
    """Record `set_group`."""
    probes.on_assign_item.append(_assigned)


def _assigned(m: Machine, frame: Frame, target: code.Subscript, container: Value, index: Value, value: Value) -> None:
    if isinstance(container, (Apply, Alternatives)):
        for optimizer in objects_in(container):
            if optimizer.kind == "optimizer":
                operands = {"optimizer": optimizer, "key": index, "value": value}
                m.emit(frame, "set_group", frame.at(target), operands)
