"""Where the program asks how long something is, and under which name, after a trainer has made it shorter."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, Probes
from ddl_lint.frameworks.model import FunctionModel
from ddl_lint.program import code
from ddl_lint.program.values import Apply, Bound, Const, FunctionRef, Items, Symbol, Value
from ddl_lint.source.span import Location


def measure(probes: Probes) -> None:
    """Record `measure`."""
    probes.on_library_call.append(_measured)


def scale_length(probes: Probes) -> None:
    """Record `scale_length`."""
    probes.on_binary.append(_scaled)


def read_left_behind(probes: Probes) -> None:
    """Record `read_left_behind`."""
    probes.on_modelled_call.append(_handed_over)
    probes.on_keep.append(_bound_anew)
    probes.on_read.append(_read)


def close_over(probes: Probes) -> None:
    """Record `close_over`."""
    probes.on_library_call.append(_closed_over)


def _closed_over(m: Machine, frame: Frame, function: Symbol, arguments: Arguments, location: Location) -> None:
    owner = m.api.class_(function.name)
    model = owner.constructor if owner is not None else m.api.function(function.name)
    if model is not None and model.event == "build_scheduler":
        for value in (*arguments.positional, *(given for _, given in arguments.keywords)):
            for held in _captured(m, value):
                m.emit(frame, "close_over", location, {"function": value, "value": held})


def _captured(m: Machine, value: Value) -> Iterator[Value]:
    """What the functions in a value have at hand before they are called."""
    if isinstance(value, Bound):
        yield from value.args
        yield from (given for _, given in value.keywords)
        yield from _captured(m, value.function)
    elif isinstance(value, Items):
        for item in value.items:
            yield from _captured(m, item)
    elif isinstance(value, FunctionRef):
        own = {parameter.name for parameter in value.function.parameters} | value.function.bound
        for name in sorted(value.function.mentions - own):
            cells = value.cells
            while cells is not None and name not in cells.names:
                cells = cells.outer
            found = m.globals.get(value.module, {}).get(name) if cells is None else cells.names[name]
            if found is not None:
                yield found


def _measured(m: Machine, frame: Frame, function: Symbol, arguments: Arguments, location: Location) -> None:
    if function.name == "builtins.len" and len(arguments.positional) == 1:
        m.emit(frame, "measure", location, {"object": arguments.positional[0]})


def _scaled(m: Machine, frame: Frame, sign: str, left: Value, right: Value, location: Location) -> None:
    for length, other, is_divided in ((left, right, True), (right, left, False)):
        if isinstance(length, Apply) and length.operator == "len" and (sign == "*" or (is_divided and sign in "//")):
            operands = {"object": length.operands[0], "operation": Const(sign), "other": other}
            m.emit(frame, "scale_length", location, operands)


def _handed_over(m: Machine, frame: Frame, node: code.Call, model: FunctionModel, arguments: Arguments) -> None:
    """A trainer takes data and returns what it has made of it, which other names get, or the same ones."""
    if model.event != "prepare" or "sampler" not in model.provides:
        return
    for argument, value in zip(node.args, arguments.positional, strict=False):
        if isinstance(argument, code.Name):
            names = frame.cells.names
            m.run_state.left_behind[id(names), argument.id] = (names, value)


def _bound_anew(m: Machine, frame: Frame, target: code.Expression, value: Value, location: Location) -> None:
    for name in _names(target) if m.run_state.left_behind else ():
        m.run_state.left_behind.pop((id(frame.cells.names), name), None)


def _names(target: code.Expression) -> Iterator[str]:
    if isinstance(target, code.Name):
        yield target.id
    elif isinstance(target, code.Starred):
        yield from _names(target.value)
    elif isinstance(target, code.Display):
        for item in target.items:
            yield from _names(item)


def _read(m: Machine, frame: Frame, value: Value, node: code.Node) -> None:
    if not m.run_state.left_behind or not isinstance(node, code.Name):
        return
    _, held = m.run_state.left_behind.get((id(frame.cells.names), node.id), (None, None))
    if held == value:
        m.emit(frame, "read_left_behind", frame.at(node), {"object": value})
