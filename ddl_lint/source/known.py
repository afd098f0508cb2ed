"""What is surely known of a file: a value together with its places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ddl_lint.source.span import Location

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Known(Generic[_Value]):
    """A number or string that is surely known, and where it is written.

    if (nodes := step.number("nodes")) is not None and nodes.value > 1:
        yield Finding("...", nodes.place)
    """

    value: _Value
    place: Location
    """What a reader should look at: of an option all of it, `--nnodes 2`."""

    written: Location | None = None
    """The value alone, where it is written as it is: what a fix may replace."""
