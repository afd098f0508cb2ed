"""Where what a call gives is taken apart into another number of names, or under other names than before."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Frame, Machine, Probes
from ddl_lint.analysis.interpreter.models.outcomes import holds_wrapper
from ddl_lint.program import code
from ddl_lint.program.values import Const, Items, Object, Value


def unpack(probes: Probes) -> None:
    """Record `unpack`."""
    probes.on_unpack.append(_counted)


def rebind_swapped(probes: Probes) -> None:
    """Record `rebind_swapped`."""
    probes.on_unpack.append(_ordered)


def _counted(m: Machine, frame: Frame, target: code.Display, value: Value) -> None:
    """A tuple with a wrapper in it is assigned to another number of names."""
    names = target.items
    if not isinstance(value, Items) or not holds_wrapper(value):
        return
    if len(names) != len(value.items) and not any(isinstance(name, code.Starred) for name in names):
        m.emit(frame, "unpack", frame.at(target), {"value": value, "count": Const(len(names))})


def _ordered(m: Machine, frame: Frame, target: code.Display, value: Value) -> None:
    """Names are bound again to what they referred to, in another order."""
    if not isinstance(value, Items) or value.open or len(value.items) != len(target.items):
        return
    given = [_inside(item) for item in value.items]
    for part, new in zip(target.items, given, strict=True):
        old = held_before(m, frame, part)
        if isinstance(old, Object) and old is not new and any(old is other for other in given):
            m.emit(frame, "rebind_swapped", frame.at(target), {"object": old, "other": new})


def held_before(m: Machine, frame: Frame, target: code.Expression) -> Value | None:
    """What a target of an assignment refers to as yet."""
    if isinstance(target, code.Name):
        return frame.cells.names.get(target.id)
    if isinstance(target, code.Attribute):
        inner = target.value
        owner = m.look_up(frame, inner.id) if isinstance(inner, code.Name) else held_before(m, frame, inner)
        return m.heap.attributes(owner).get(target.attr) if isinstance(owner, Object) else None
    return None


def _inside(value: Value) -> Value:
    """What a wrapper has inside."""
    held = value.given.get("module") if isinstance(value, Object) and "wrapper" in value.traits else None
    return value if held is None else held
