"""Columns in the units that editors count in: UTF-8 bytes, UTF-16 units or code points.

All columns here count from 0 and belong to one line, given without its line end.
"""

from __future__ import annotations

from enum import Enum


class ColumnUnit(str, Enum):
    """What one column is. The values are the names that the Language Server Protocol uses."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def column_to_units(line: str, column: int, unit: ColumnUnit) -> int:
    """How many units come before the code point number `column`. Columns past the end mean the end."""
    column = min(max(column, 0), len(line))
    if unit is ColumnUnit.UTF32 or line.isascii():
        return column
    return sum(_width(character, unit) for character in line[:column])


def column_from_units(line: str, units: int, unit: ColumnUnit) -> int:
    """The code point that `units` points at; inside a character means its start, past the end means the end."""
    units = max(units, 0)
    if unit is ColumnUnit.UTF32 or line.isascii():
        return min(units, len(line))
    for column, character in enumerate(line):
        units -= _width(character, unit)
        if units < 0:
            return column
    return len(line)


def _width(character: str, unit: ColumnUnit) -> int:
    code = ord(character)
    if unit is ColumnUnit.UTF16:
        return 1 if code < 0x10000 else 2
    return 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
