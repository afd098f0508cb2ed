"""What a value is in one process of a job."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from ddl_lint.analysis.ranks.processes import Process
from ddl_lint.analysis.values.conditions import Condition, truth_of
from ddl_lint.analysis.values.lattice import choose
from ddl_lint.analysis.values.operators import ARITHMETIC, Concrete, Undecided, abstract, applied, concrete, evaluated
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import rebuild
from ddl_lint.program.dimensions import ranked_dimension, sized_dimension
from ddl_lint.program.values import (
    TRUE,
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

Carried: TypeAlias = Mapping[Value, "tuple[Value, Value] | None"]
"""As `Run.carried`."""

_MOST_COMPREHENDED = 20_000
"""Elements of all comprehensions that one evaluator computes: those inside others are multiplied."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """What is known beside the process."""

    carried: Carried = field(default_factory=dict[Value, "tuple[Value, Value] | None"])
    """The variables that loops change."""

    setting: int | None = None
    """The number that settings, and unknowns that are equal on all ranks, are taken to be."""


_NONE = Bindings()


class Evaluator:
    """Computes values for one process, or without a process: then whatever depends on it is undecided.

    A *residual* is what is left of a value: it keeps what the rank does not decide, so that equal conditions stay equal
    in all processes. A *concrete* value is computed whole or not at all, with all sizes and elements of loops.
    """

    def __init__(self, process: Process | None = None, bindings: Bindings = _NONE) -> None:
        self._process = process
        self._carried = {
            unknown: change
            for unknown, change in bindings.carried.items()
            if change is not None and (change[1] == unknown or tags_of(change[1]) & RANK_TAGS)
        }
        self._elements: dict[Value, Value] = {}
        self._setting = None if bindings.setting is None else Const(bindings.setting)
        self._residuals: dict[Value, Value] = {}
        self._wholes: dict[Value, Value] = {}  # of choices: one may be in many others, on many ways
        self._open: set[Value] = set()
        self._comprehended = 0

    # --- in part ---

    def residual(self, value: Value) -> Value:
        """What is left of a value. Sizes are only put in beside ranks: alone they are equal on all ranks."""
        if not self._carried and not tags_of(value) & RANK_TAGS:
            return value
        known = self._residuals.get(value)
        if known is None:
            known = self._left(value)
            self._residuals[value] = known
        return known

    def _left(self, value: Value) -> Value:
        if isinstance(value, Rank):
            return self._number(value)
        if isinstance(value, Unknown):
            return self._along(value) or self._unknown(value)
        return _computed(value, self._operand if isinstance(value, Apply) else self.residual)

    def _operand(self, value: Value) -> Value:
        if isinstance(value, (WorldSize, DeviceCount)):
            return self._number(value)
        if isinstance(value, Unknown):
            return self._along(value) or self.residual(value)
        if isinstance(value, Apply) and value.operator in ARITHMETIC and not tags_of(value) & RANK_TAGS:
            return _computed(value, self._operand)
        return self.residual(value)

    def _unknown(self, value: Unknown) -> Value:
        change = self._carried.get(value)
        if change is not None:
            if value in self._open:
                return value
            self._open.add(value)
            before, after = change
            unchanged = self._left(after) == value
            self._open.discard(value)
            return self.residual(before) if unchanged else value
        if value.tags & RANK_TAGS and value.origin is not None and self._process is not None:
            return Unknown(("of rank", value.origin, self._process.rank), value.tags)
        return value

    # --- as a whole ---

    def concrete(self, value: Value) -> Concrete:
        """The value as Python has it.

        Raises:
            Undecided: the process and the bindings do not decide it.
        """
        return concrete(self._whole(value))

    def truth(self, condition: Value) -> bool:
        """The truth of a condition.

        Raises:
            Undecided: the process and the bindings do not decide it.
        """
        known = truth_of(self._whole(condition))
        if known is None:
            raise Undecided
        return known

    def number(self, value: Value) -> int | None:
        """The integer that a value is; None where it is something else, or undecided."""
        found = self._whole(value)
        return found.value if isinstance(found, Const) and isinstance(found.value, int) else None

    def numbers(self, value: Value) -> list[int] | None:
        """The integers that a value lists; None where it does not, or is undecided."""
        try:
            found = self.concrete(value)
        except Undecided:
            return None
        if isinstance(found, list) and all(isinstance(item, int) for item in found):
            return cast("list[int]", found)
        return None

    def is_bound(self, iterable: Value) -> bool:
        """Whether a loop over this has a present element."""
        return iterable in self._elements

    @contextmanager
    def bound(self, iterable: Value, element: Concrete) -> Generator[None]:
        """Let this be the present element of the loop that goes over `iterable`."""
        self._elements[iterable] = abstract(element)
        try:
            yield
        finally:
            del self._elements[iterable]

    def _whole(self, value: Value) -> Value:
        if isinstance(value, Rank):
            # A parameter that is merely called `rank` may be the number of anybody.
            return value if value.source == "name" else self._number(value)
        if isinstance(value, (WorldSize, DeviceCount)):
            return self._number(value)
        if isinstance(value, Flag) and value.name == "distributed":
            return TRUE
        if isinstance(value, Unknown) and (along := self._along(value)) is not None:
            return along
        if isinstance(value, (Setting, Unknown)):
            return value if self._setting is None or tags_of(value) & RANK_TAGS else self._setting
        if isinstance(value, Apply) and value.operator == "element":
            return self._elements.get(value.operands[0], value)
        if isinstance(value, Apply) and value.operator in ("each", "filtered"):
            return self._each(value)
        if not isinstance(value, Alternatives) or self._elements:
            return evaluated(_computed(value, self._whole))
        known = self._wholes.get(value)
        if known is None:
            known = self._wholes[value] = evaluated(_computed(value, self._whole))
        return known

    def _each(self, comprehension: Apply) -> Value:
        """A comprehension: its element for each element of its source."""
        source, element, *conditions = comprehension.operands
        if source in self._elements:
            return comprehension
        made: list[Concrete] = []
        try:
            found = self.concrete(source)
            for item in found if isinstance(found, list) else ():
                self._comprehended += 1
                if self._comprehended > _MOST_COMPREHENDED:
                    raise Undecided
                with self.bound(source, item):
                    if all(map(self.truth, conditions)):
                        made.append(self.concrete(element))
        except Undecided:
            return comprehension
        return abstract(made) if isinstance(found, list) else comprehension

    # --- both ---

    def _number(self, value: Rank | WorldSize | DeviceCount) -> Value:
        """The number that the process has in place of a rank or size; the value itself where that is not known."""
        if self._process is None:
            return value
        if isinstance(value, DeviceCount):
            return Const(self._process.local_world_size)
        place = self._process.number if isinstance(value, Rank) else self._process.size
        number = place(value.scope)
        if number is None:
            return value
        return Const(str(number)) if value.text else Const(number)

    def _along(self, value: Unknown) -> Const | None:
        """The number that the process has along a dimension, or the size of that."""
        if self._process is None or self._process.grid is None:
            return None
        ranked, sized = ranked_dimension(value), sized_dimension(value)
        number = self._process.number(ranked) if ranked is not None else None
        size = self._process.size(sized) if sized is not None else None
        known = number if number is not None else size
        return Const(known) if known is not None else None


def _computed(value: Value, part: Callable[[Value], Value]) -> Value:
    """A value of which the parts are better known."""
    if isinstance(value, Apply):
        return applied(value, [part(operand) for operand in value.operands])
    if isinstance(value, Alternatives):
        return _chosen(value, part)
    return rebuild(value, part) if isinstance(value, Items) else value


def _chosen(value: Alternatives, part: Callable[[Value], Value]) -> Value:
    """The alternatives that are possible."""
    kept: list[tuple[frozenset[Condition], Value]] = []
    for labels, option in value.options:
        left: set[Condition] = set()
        for label, wanted in labels:
            condition = part(label)
            known = truth_of(condition)
            if known is None:
                left.add((condition, wanted))
            elif known is not wanted:
                break
        else:
            kept.append((frozenset(left), part(option)))
    if not kept:
        return value
    return kept[0][1] if len(kept) == 1 else choose(kept)
