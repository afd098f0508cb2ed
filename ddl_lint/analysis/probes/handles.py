"""What becomes of the handles of calls that are still at work."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Frame, Machine, Probes
from ddl_lint.analysis.interpreter.models.outcomes import handles_in
from ddl_lint.program import code
from ddl_lint.program.values import Const, Value
from ddl_lint.source.span import Location


def keep_handle(probes: Probes) -> None:
    """Record `keep_handle`."""
    probes.on_drop.append(_dropped)
    probes.on_keep.append(_kept)


def read_handle(probes: Probes) -> None:
    """Record `read_handle`."""
    probes.on_read.append(_read)
    probes.on_define.append(_captured)


def _dropped(m: Machine, frame: Frame, node: code.Expression, value: Value) -> None:
    if m.run_state.has_pending_work and isinstance(node, code.Call):
        for handle in handles_in(value):
            m.emit(frame, "keep_handle", frame.at(node), {"handle": handle})


def _kept(m: Machine, frame: Frame, target: code.Expression, value: Value, location: Location) -> None:
    """Handles are kept in a variable of the function."""
    if not m.run_state.has_pending_work or (isinstance(target, code.Name) and target.id in frame.elsewhere):
        return
    names = target.items if isinstance(target, code.Display) else (target,)
    if all(isinstance(name, code.Name) for name in names):
        for handle in handles_in(value):
            m.emit(frame, "keep_handle", location, {"handle": handle, "name": Const("name")})


def _read(m: Machine, frame: Frame, value: Value, node: code.Node) -> None:
    """A variable is read that holds handles, whatever is done with them."""
    if m.run_state.has_pending_work:
        for handle in handles_in(value):
            m.emit(frame, "read_handle", frame.at(node), {"handle": handle})


def _captured(m: Machine, frame: Frame, function: code.Function) -> None:
    """A function that is defined here reads variables that hold handles, whenever it runs."""
    if m.run_state.has_pending_work:
        for name in sorted(function.mentions & frame.cells.names.keys()):
            _read(m, frame, frame.cells.names[name], function)
