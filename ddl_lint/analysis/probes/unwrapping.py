"""Where the program looks at the model inside a wrapper."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Frame, Machine
from ddl_lint.analysis.interpreter.probing import Probes
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program import code
from ddl_lint.program.values import Object, Value

_INSIDE = "module"


def look_inside(probes: Probes) -> None:
    """Record `look_inside`."""
    probes.on_attribute.append(_looked)


def _looked(m: Machine, frame: Frame, owner: Value, node: code.Attribute) -> None:
    if node.attr != _INSIDE:
        return
    for option in alternatives(owner):
        if isinstance(option, Object) and (_INSIDE in option.given or _INSIDE in m.heap.attributes(option)):
            m.emit(frame, "look_inside", frame.at(node), {"object": option})
            return
