"""Where a tensor that a module keeps meets the data of the model."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Frame, Machine, Probes
from ddl_lint.analysis.interpreter.models.tensors import dimensions, is_input, is_tensor, kept_origin
from ddl_lint.program.values import Items, Object, Value
from ddl_lint.source.span import Location


def use_tensor(probes: Probes) -> None:
    """Record `use_tensor`."""
    probes.on_combine.append(_combined)


def _combined(m: Machine, frame: Frame, values: list[Value], location: Location) -> None:
    parts = [part for value in values for part in (value.items if isinstance(value, Items) else (value,))]
    kept = [
        origin
        for part in parts
        if isinstance(part, Object) and is_tensor(part) and dimensions(part) > 0
        for origin in (kept_origin(part, m.heap),)
        if origin is not None
    ]
    if kept and any(is_input(part, m.heap) for part in parts):
        for origin in dict.fromkeys(kept):
            m.emit(frame, "use_tensor", location, {"tensor": origin})
