"""Where a loop waits for a file."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Frame, Machine, Probes
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.program.values import Apply, Value
from ddl_lint.source.span import Location


def await_file(probes: Probes) -> None:
    """Record `await_file`."""
    probes.on_while.append(_asked)


def _asked(m: Machine, frame: Frame, condition: Value, location: Location) -> None:
    asked = parts(condition, opened=lambda part: isinstance(part, Apply))
    if any(isinstance(part, Apply) and part.operator == "exists" for part in asked):
        m.emit(frame, "await_file", location, {"condition": condition})
