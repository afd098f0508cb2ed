"""Numbers of processes that are still the texts of environment variables, where only a number makes sense."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.analysis.interpreter.machine import Frame, Machine
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program.values import Alternatives, Apply, Const, DeviceCount, Items, Rank, Value, WorldSize
from ddl_lint.source.span import Location

_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**"})
_EQUALITY = frozenset({"==", "!="})


def is_number_text(value: Value | None) -> bool:
    """Whether a value is surely the text of a number of processes: `os.environ["RANK"]` without `int`."""
    return value is not None and all(isinstance(each, (Rank, WorldSize)) and each.text for each in alternatives(value))


def is_number(value: Value | None) -> bool:
    """Whether a value is surely a number."""
    if isinstance(value, Const):
        return isinstance(value.value, (int, float)) and not isinstance(value.value, bool)
    if isinstance(value, (Rank, WorldSize)):
        return not value.text and value.source != "name"
    if isinstance(value, Apply):
        return value.operator in _ARITHMETIC and all(map(is_number, value.operands))
    if isinstance(value, Alternatives):
        return all(map(is_number, alternatives(value)))
    return isinstance(value, DeviceCount)


def note_texts(m: Machine, frame: Frame, operation: str, sides: Sequence[Value], location: Location) -> None:
    """Record that one side of a comparison or a calculation is such a text, and the other one a number.

    A text differs from every negative number, which programs use as "there is none": that comparison works.
    """
    for text, other in zip(sides, reversed(sides), strict=True):
        if not is_number_text(text):
            continue
        numbers = other.items if isinstance(other, Items) and operation in ("in", "not in") else (other,)
        if not numbers or not all(map(is_number, numbers)):
            continue
        if operation in _EQUALITY and isinstance(other, Const) and other.value < 0:
            continue
        m.emit(frame, "text_as_number", location, {"text": text, "operation": Const(operation)})
        return
