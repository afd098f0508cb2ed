"""Numbers of processes, and the texts of environment variables that are still to become such numbers."""

from __future__ import annotations

from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program.values import Alternatives, Apply, Const, DeviceCount, Rank, Value, WorldSize

_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**"})


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
