"""Where something is computed of a value that has a component for each replica."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, Probes
from ddl_lint.program.values import Const, Object, Symbol, Value
from ddl_lint.source.span import Location

_CONVERTING = frozenset({"builtins.float", "builtins.int", "builtins.bool", "builtins.round", "builtins.abs"})
_CONVERTING_METHODS = frozenset({"numpy", "item"})


def use_per_replica(probes: Probes) -> None:
    """Record `use_per_replica`."""
    probes.on_binary.append(_combined)
    probes.on_augment.append(_combined)
    probes.on_compare.append(_combined)
    probes.on_library_call.append(_converted)


def _combined(m: Machine, frame: Frame, sign: str, left: Value, right: Value, location: Location) -> None:
    if sign not in ("is", "is not", "in", "not in"):
        _note(m, frame, (left, right), sign, location)


def _converted(m: Machine, frame: Frame, function: Symbol, arguments: Arguments, location: Location) -> None:
    name = function.name.rpartition(".")[2]
    if function.name in _CONVERTING:
        _note(m, frame, arguments.positional, name, location)
    elif function.receiver is not None and name in _CONVERTING_METHODS:
        _note(m, frame, (function.receiver,), name, location)


def _note(m: Machine, frame: Frame, values: tuple[Value, ...] | list[Value], what: str, location: Location) -> None:
    for value in values:
        if isinstance(value, Object) and value.traits.get("per_replica"):
            m.emit(frame, "use_per_replica", location, {"value": value, "operation": Const(what)})
