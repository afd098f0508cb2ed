"""What a number of a program counts, and how numbers are computed of each other.

    if quantity(event.replicas).is_surely(Count.NODE, Count.DEVICES):
        ...  # as many as one node has

`Count` says what a number counts, `Quantity` what is sure of a value: that it is the world size, that it is made of a
number of processes, that it is equal to `rank * block + block`. Nothing is said of what cannot be seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.visitors import contents, parts
from ddl_lint.program.heap import Heap
from ddl_lint.program.values import (
    Apply,
    Const,
    DeviceCount,
    Items,
    Object,
    Rank,
    Setting,
    Unknown,
    Value,
    WorldSize,
)


class Count(Enum):
    """What a number counts, where it is one thing."""

    WORLD = "world"
    """The processes of the job: the world size."""

    NODE = "node"
    """The processes of one node: the local world size."""

    NODES = "nodes"
    GROUP = "group"
    """The processes of a process group other than the default one."""

    DEVICES = "devices"
    """The accelerators that a process sees."""

    RANK = "rank"
    LOCAL_RANK = "local rank"
    NODE_RANK = "node rank"
    GROUP_RANK = "group rank"

    LENGTH = "length"
    """The elements of something: the samples of a data set, the batches of a loader."""

    LITERAL = "literal"
    """Nothing in particular: a number that is written in the program."""

    OPTION = "option"
    """What the user chooses in the command line, in a configuration or in the environment."""

    COMPUTED = "computed"
    """What is computed of other numbers."""

    UNKNOWN = "unknown"


PROCESSES = frozenset({Count.WORLD, Count.NODE, Count.NODES, Count.GROUP})
"""A number of processes, or of nodes: it grows with the job."""

RANKS = frozenset({Count.RANK, Count.LOCAL_RANK, Count.NODE_RANK, Count.GROUP_RANK})
"""The number of this process in some order."""

_SIZES = {"global": Count.WORLD, "local": Count.NODE, "node": Count.NODES, "group": Count.GROUP}
_RANKS = {
    "global": Count.RANK,
    "local": Count.LOCAL_RANK,
    "node": Count.NODE_RANK,
    "group": Count.GROUP_RANK,
}


def count_of(value: Value) -> Count:
    """What a number counts, by itself: what it is computed of does not matter."""
    if isinstance(value, WorldSize):
        return _SIZES[value.scope]
    if isinstance(value, Rank):
        return _RANKS[value.scope]
    if isinstance(value, DeviceCount):
        return Count.DEVICES
    if isinstance(value, Const):
        return Count.LITERAL
    if isinstance(value, Setting):
        return Count.OPTION
    if isinstance(value, Apply):
        return Count.LENGTH if value.operator == "len" else Count.COMPUTED
    return Count.UNKNOWN


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is known of a number; of none at all (`None`) nothing is."""

    value: Value | None

    # --- what it is ---------------------------------------------------------------------------------------------------

    def is_surely(self, *counts: Count) -> bool:
        """Whether it counts one of these, whichever of its alternatives it is."""
        return self.value is not None and all(count_of(option) in counts for option in alternatives(self.value))

    @property
    def is_world_size(self) -> bool:
        """Whether it is surely the number of all processes of the job."""
        return self.is_surely(Count.WORLD)

    @property
    def is_of_one_node(self) -> bool:
        """Whether it is surely the number of the processes, or of the accelerators, of one node."""
        return self.is_surely(Count.NODE, Count.DEVICES)

    def is_from(self, *sources: str) -> bool:
        """Whether all its alternatives are ranks or numbers of processes that were read from one of these sources:
        `environment`, `api`, `spawn`, `argument`, `name`.
        """
        return self.value is not None and all(
            isinstance(option, (Rank, WorldSize)) and option.source in sources for option in alternatives(self.value)
        )

    @property
    def is_read(self) -> bool:
        """Whether it is surely a rank or a number of processes that was read somewhere: a name alone proves nothing."""
        return self.value is not None and all(
            isinstance(option, (Rank, WorldSize)) and option.source != "name" for option in alternatives(self.value)
        )

    # --- what it is made of -------------------------------------------------------------------------------------------

    def has(self, *counts: Count, heap: Heap | None = None) -> bool:
        """Whether it is, or is computed of, something that counts one of these; with a heap also by way of the objects
        in it, and of what is stored on them.
        """
        if self.value is None:
            return False
        inside = parts(self.value) if heap is None else contents(self.value, heap)
        return any(count_of(part) in counts for part in inside)

    def scales_with_processes(self, heap: Heap | None = None) -> bool:
        """Whether a number of processes has a part in it."""
        return self.has(*PROCESSES, heap=heap)

    def is_made_of(self, *counts: Count) -> bool:
        """Whether it is computed by arithmetic of nothing but these."""
        return self.value is not None and all(
            isinstance(part, Apply) or count_of(part) in counts for part in parts(self.value)
        )

    def measures(self, data: Value) -> bool:
        """Whether the length of something surely has a part in it."""
        return self.value is not None and all(
            any(isinstance(part, Apply) and part.operator == "len" and part.operands[0] == data for part in parts(each))
            for each in alternatives(self.value)
        )

    # --- numbers that are written -------------------------------------------------------------------------------------

    @property
    def integer(self) -> int | None:
        """The whole number that is written; None for anything else, `True` among it."""
        found = self.value.value if isinstance(self.value, Const) else None
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    @property
    def number(self) -> int | float | None:
        """The number that is written."""
        found = self.value.value if isinstance(self.value, Const) else None
        return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None

    # --- arithmetic ---------------------------------------------------------------------------------------------------

    def plus(self, other: Quantity) -> Quantity:
        """The sum of two."""
        return _applied("+", self, other)

    def equals(self, other: Quantity) -> bool:
        """Whether two are surely the same number, however they are written: `(rank + 1) * n` is `rank * n + n`."""
        if self.value is None or other.value is None:
            return False
        return self.value == other.value or _polynomial(self.value) == _polynomial(other.value)

    def block_of_rank(self) -> Quantity | None:
        """`rank * block`, the start of the share of a rank: the block."""
        if not isinstance(self.value, Apply) or self.value.operator != "*" or len(self.value.operands) != 2:
            return None
        left, right = self.value.operands
        return Quantity(right) if _is_place(left) else Quantity(left) if _is_place(right) else None


def quantity(value: Value | None) -> Quantity:
    """What is known of a number of the program."""
    return Quantity(value)


def integer(value: Value | None) -> int | None:
    """The whole number that a value is written as."""
    return Quantity(value).integer


def _applied(operator: str, *operands: Quantity) -> Quantity:
    values = [each.value for each in operands]
    known = [value for value in values if value is not None]
    return Quantity(Apply(operator, tuple(known)) if len(known) == len(values) else None)


def _is_place(value: Value) -> bool:
    return count_of(value) in (Count.RANK, Count.LOCAL_RANK)


# --- the normal form of a calculation ---------------------------------------------------------------------------------

_Polynomial: TypeAlias = Mapping[tuple[Value, ...], int]
"""The factors of each term, in one order -> how often it is added. Numbers are the factor of their term."""

_MOST_TERMS = 16


def _polynomial(value: Value) -> _Polynomial:
    """A number as a sum of products, so that equal ones are equal; what is no sum, difference or product is a factor of
    its own.
    """
    number = integer(value)
    if number is not None:
        return {(): number} if number else {}
    if isinstance(value, Apply) and len(value.operands) == 2 and value.operator in ("+", "-", "*"):
        left, right = map(_polynomial, value.operands)
        sign = -1 if value.operator == "-" else 1
        found = _product(left, right) if value.operator == "*" else _sum(left, right, sign)
        if len(found) <= _MOST_TERMS:
            return found
    return {(value,): 1}


def _sum(left: _Polynomial, right: _Polynomial, sign: int) -> _Polynomial:
    found = dict(left)
    for factors, number in right.items():
        found[factors] = found.get(factors, 0) + sign * number
    return {factors: number for factors, number in found.items() if number}


def _product(left: _Polynomial, right: _Polynomial) -> _Polynomial:
    found: dict[tuple[Value, ...], int] = {}
    for mine, number in left.items():
        for others, times in right.items():
            factors = tuple(sorted((*mine, *others), key=hash))
            found[factors] = found.get(factors, 0) + number * times
    return {factors: number for factors, number in found.items() if number}


# --- how long something is --------------------------------------------------------------------------------------------

_AS_LONG = frozenset({"list", "tuple", "each", "enumerate", "sorted", "shuffled", "reversed", "len"})
"""What is as long as its first operand, or is its length."""


def known_length(value: Value | None) -> int | None:
    """The number of elements of a sequence or tensor, or of samples of a data set, where the program fixes it; a number
    is the length of what is counted.
    """
    if isinstance(value, Const):
        return integer(value)
    if isinstance(value, Items):
        return None if value.open else len(value.items)
    if isinstance(value, Apply) and value.operator in _AS_LONG:
        return known_length(value.operands[0])
    if isinstance(value, Apply) and value.operator == "range" and len(value.operands) == 1:
        return integer(value.operands[0])
    shape = shape_of(value)
    return shape[0] if shape else None


def most_elements(value: Value | None) -> int | None:
    """How many elements a list has, or at most has by the end of the slice that it is: `devices[:4]`."""
    if isinstance(value, Items):
        return None if value.open else len(value.items)
    if isinstance(value, Apply) and value.operator == "slice":
        start, stop, step = value.operands[1:4]
        is_plain = start in (Const(None), Const(0)) and step in (Const(None), Const(1))
        end = integer(stop)
        return end if is_plain and end is not None and end > 0 else None
    return None


def shape_of(value: Value | None) -> tuple[int, ...] | None:
    """The shape that a tensor was made with, where the program fixes it."""
    if not isinstance(value, Object) or value.kind != "tensor":
        return None
    bounds = value.given.get("range")
    if isinstance(bounds, Items) and len(bounds.items) == 1:
        end = Quantity(bounds.items[0]).number
        return (math.ceil(end),) if end is not None else None
    size = value.given.get("size")
    if isinstance(size, Items) and len(size.items) == 1 and isinstance(size.items[0], Items):
        size = size.items[0]
    if not isinstance(size, Items) or size.open or not size.items:
        return None
    sides = [side for item in size.items if (side := integer(item)) is not None]
    return tuple(sides) if len(sides) == len(size.items) else None


def elements(value: Value | None) -> int | None:
    """The number of elements of a tensor in all its dimensions, where the program fixes it."""
    shape = shape_of(value)
    return None if shape is None else math.prod(shape)


# --- names of numbers -------------------------------------------------------------------------------------------------


def names_in(value: Value) -> Iterator[str]:
    """The names under which what a number is computed of was read: of options, parameters and attributes."""
    for part in parts(value):
        if isinstance(part, Setting):
            yield part.name
        elif isinstance(part, Unknown) and isinstance(part.origin, tuple):
            yield from (str(word) for word in part.origin if isinstance(word, str))  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
