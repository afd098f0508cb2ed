"""Plain data about a program, such as findings, with its places where they are after a change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar, cast

from ddl_lint.program.shift import Shift
from ddl_lint.source.span import Location

_Data = TypeVar("_Data")


class Unmovable(Exception):
    """Something cannot be moved to where it would be now."""


def mover(shifts: Mapping[str, Shift]) -> Callable[[Location], Location]:
    """Gives each place in files that have changed its place now; raises `Unmovable` where there is none."""

    def move(location: Location) -> Location:
        shift = shifts.get(location.path)
        if shift is None:
            return location
        start, end = shift.at(location.start), shift.at(location.end)
        if start is None or end is None:
            raise Unmovable
        return Location(location.path, start, end)

    return move


def places_in(value: object) -> frozenset[str]:
    """The paths of the files in which there are places in some data.

    Raises:
        Unmovable: it is no plain data.
    """
    found: set[str] = set()

    def look(location: Location) -> Location:
        found.add(location.path)
        return location

    moved_data(value, look)
    return frozenset(found)


def moved_data(value: _Data, move: Callable[[Location], Location]) -> _Data:
    """Data with all places in it moved.

    Raises:
        Unmovable: a place is gone, or it is no plain data.
    """
    return _moved(value, move)


def _moved(value: Any, move: Callable[[Location], Location]) -> Any:
    if isinstance(value, Location):
        return move(value)
    if isinstance(value, (str, int, float, bytes, Enum, type(None))):
        return value
    if isinstance(value, frozenset):
        return frozenset(_moved(part, move) for part in cast("frozenset[Any]", value))
    if isinstance(value, (tuple, list)):
        kind = cast("type[Any]", type(value))  # pyright: ignore[reportUnknownArgumentType]
        parts = [_moved(part, move) for part in cast("tuple[Any, ...]", value)]
        return cast(Any, kind(parts) if kind in (tuple, list) else kind(*parts))
    if isinstance(value, Mapping):
        return {_moved(key, move): _moved(part, move) for key, part in cast("Mapping[Any, Any]", value).items()}
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(*(_moved(getattr(value, part.name), move) for part in fields(value)))
    raise Unmovable
