"""Where the program looks at the model inside a wrapper, lets go of the wrapper, or asks which one a trainer takes."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, Probes, text_of
from ddl_lint.analysis.probes.unpacking import held_before
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program import code
from ddl_lint.program.values import Alternatives, Object, Symbol, Value
from ddl_lint.source.span import Location

_INSIDE = "module"
_BY_NAME = ("builtins.getattr", "builtins.hasattr")


def look_inside(probes: Probes) -> None:
    """Record `look_inside`."""
    probes.on_attribute.append(_looked)


def ask_mode(probes: Probes) -> None:
    """Record `ask_mode`."""
    probes.on_attribute.append(_asked_of)
    probes.on_library_call.append(_asked_by_name)


def rebind_model(probes: Probes) -> None:
    """Record `rebind_model`."""
    probes.on_keep.append(_rebound)


def _looked(m: Machine, frame: Frame, owner: Value, node: code.Attribute) -> None:
    if node.attr != _INSIDE:
        return
    for option in alternatives(owner):
        if _has_model_inside(m, option):
            m.emit(frame, "look_inside", frame.at(node), {"object": option})
            return


def _asked_by_name(m: Machine, frame: Frame, symbol: Symbol, arguments: Arguments, location: Location) -> None:
    if symbol.name in _BY_NAME and len(arguments.positional) > 1:
        _asked(m, frame, arguments.positional[0], text_of(arguments.positional[1]), location)


def _asked_of(m: Machine, frame: Frame, owner: Value, node: code.Attribute) -> None:
    if isinstance(owner, (Object, Alternatives)):
        _asked(m, frame, owner, node.attr, frame.at(node))


def _asked(m: Machine, frame: Frame, owner: Value, name: str | None, location: Location) -> None:
    for option in alternatives(owner):
        if isinstance(option, Object) and name in str(option.traits.get("tells_mode", "")).split():
            m.emit(frame, "ask_mode", location, {"object": option})
            return


def _rebound(m: Machine, frame: Frame, target: code.Expression, value: Value, location: Location) -> None:
    before = held_before(m, frame, target)
    if before is None:
        return
    if any(_has_model_inside(m, option) for held in (before, value) for option in alternatives(held)):
        m.emit(frame, "rebind_model", location, {"object": before, "other": value})


def _has_model_inside(m: Machine, value: Value) -> bool:
    return isinstance(value, Object) and (_INSIDE in value.given or _INSIDE in m.heap.attributes(value))
