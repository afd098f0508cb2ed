"""Computes values for one process of a job: numbers, lists of them, and the truth of conditions.

Residuals keep what they cannot decide; here a value is computed whole, with the elements of the loops that are run
through, or not at all. Peers of messages and the members of groups are such values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from ddl_lint.analysis.ranks.processes import Process
from ddl_lint.analysis.values import bounded
from ddl_lint.analysis.values.operations import RANK_TAGS, tags_of
from ddl_lint.program.values import (
    Alternatives,
    Apply,
    Const,
    DeviceCount,
    Flag,
    Items,
    Rank,
    Setting,
    Unknown,
    Value,
    WorldSize,
)

Concrete: TypeAlias = "int | float | str | bytes | list[Concrete] | None"

_MOST_COMPREHENDED = 20_000
"""Elements of all comprehensions that one process computes: those inside others are multiplied."""

_BINARY = frozenset(
    {"+", "-", "*", "/", "//", "%", "**", "^", "&", "|", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "is", "is not",
     "in", "not in", "index"}
)  # fmt: skip
_LISTS: dict[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": list,
    "set": list,
    "sorted": sorted,
    "reversed": lambda items: list(reversed(items)),
    "len": len,
}


class Undecided(Exception):
    """The process alone does not decide the value."""


class Computer:
    """Computes values for one process.

    `elements` holds the present element of each loop by what the loop goes over. `assumed` is the number for settings
    and other unknowns that are equal on all ranks; without it they are undecided.
    """

    def __init__(
        self, process: Process, elements: Mapping[Value, Concrete] | None = None, assumed: int | None = None
    ) -> None:
        self._process = process
        self._assumed = assumed
        self._comprehended = 0
        self.elements: dict[Value, Concrete] = dict(elements or {})

    def of(self, value: Value) -> Concrete:
        """The value; raises `Undecided`."""
        if isinstance(value, Const):
            return self._constant(value)
        if isinstance(value, Rank):
            # A parameter that is merely called `rank` may be the number of anybody.
            return self._number(self._process.number(value.scope) if value.source != "name" else None, value.text)
        if isinstance(value, WorldSize):
            return self._number(self._process.size(value.scope), value.text)
        if isinstance(value, DeviceCount):
            return self._process.local_world_size
        if isinstance(value, Flag) and value.name == "distributed":
            return True
        if isinstance(value, Items) and not value.open:
            return [self.of(item) for item in value.items]
        if isinstance(value, Alternatives):
            return self._chosen(value)
        if isinstance(value, Apply):
            return self._applied(value)
        if isinstance(value, (Setting, Unknown)) and self._assumed is not None and not tags_of(value) & RANK_TAGS:
            return self._assumed
        raise Undecided

    def truth(self, condition: Value) -> bool:
        """The truth of a condition; raises `Undecided`."""
        if isinstance(condition, Apply) and condition.operator in ("and", "or"):
            return self._connected(condition)
        if isinstance(condition, Apply) and condition.operator == "not":
            return not self.truth(condition.operands[0])
        return bool(self.of(condition))

    def numbers(self, value: Value) -> list[int] | None:
        """The integers that a value lists; None where it does not, or is undecided."""
        try:
            found = self.of(value)
        except Undecided:
            return None
        if isinstance(found, list) and all(isinstance(item, int) for item in found):
            return cast("list[int]", found)
        return None

    def number(self, value: Value) -> int | None:
        """The integer that a value is; None where it is something else, or undecided."""
        try:
            found = self.of(value)
        except Undecided:
            return None
        return found if isinstance(found, int) else None

    @staticmethod
    def _constant(value: Const) -> Concrete:
        if value.value is None or isinstance(value.value, (int, float, str, bytes)):
            return value.value
        raise Undecided

    @staticmethod
    def _number(number: int | None, text: bool) -> Concrete:
        if number is None:
            raise Undecided
        return str(number) if text else number

    def _chosen(self, value: Alternatives) -> Concrete:
        kept = [
            option
            for labels, option in value.options
            if all(self.truth(condition) is wanted for condition, wanted in labels)
        ]
        if not kept:
            raise Undecided
        first, *others = [self.of(option) for option in kept]
        if any(other != first for other in others):
            raise Undecided
        return first

    def _connected(self, condition: Apply) -> bool:
        stops = condition.operator == "or"
        undecided = False
        for operand in condition.operands:
            try:
                if self.truth(operand) is stops:
                    return stops
            except Undecided:
                undecided = True
        if undecided:
            raise Undecided
        return not stops

    def _applied(self, value: Apply) -> Concrete:
        name, operands = value.operator, value.operands
        if name in ("and", "or", "not"):
            return self.truth(value)
        if name == "element":
            if operands[0] not in self.elements:
                raise Undecided
            return self.elements[operands[0]]
        if name == "each":
            return self._each(operands[0], operands[1], operands[2:])
        known = [self.of(operand) for operand in operands]
        try:
            return self._computed(name, known)
        except (TypeError, ValueError, ArithmeticError, IndexError):
            raise Undecided from None

    @staticmethod
    def _computed(name: str, known: list[Concrete]) -> Concrete:
        operands = cast("list[Any]", known)
        if name in _BINARY and len(operands) == 2:
            return bounded.compute(name, *operands)
        if name in _LISTS and len(operands) == 1:
            return bounded.small(_LISTS[name](operands[0]))
        if name in ("min", "max") and operands:
            return (min if name == "min" else max)(operands if len(operands) > 1 else operands[0])
        if name == "-" and len(operands) == 1:
            return -operands[0]
        if name == "range" and operands:
            return list(bounded.numbers(*operands))
        raise Undecided

    def _each(self, source: Value, element: Value, conditions: tuple[Value, ...]) -> Concrete:
        """A comprehension: its element for each element of its source."""
        found = self.of(source)
        if not isinstance(found, list) or source in self.elements:
            raise Undecided
        made: list[Concrete] = []
        try:
            for item in found:
                self._comprehended += 1
                if self._comprehended > _MOST_COMPREHENDED:
                    raise Undecided
                self.elements[source] = item
                if all(map(self.truth, conditions)):
                    made.append(self.of(element))
        finally:
            self.elements.pop(source, None)
        return made
