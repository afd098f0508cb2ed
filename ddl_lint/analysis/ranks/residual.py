"""What is left of a value when it is known which process computes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from ddl_lint.analysis.ranks.processes import Process
from ddl_lint.analysis.values.operations import (
    RANK_TAGS,
    apply,
    arithmetic,
    choose,
    compare,
    is_repeatable,
    negate,
    normal,
    tags_of,
    truth_of,
)
from ddl_lint.program.values import (
    FALSE,
    TRUE,
    Alternatives,
    Apply,
    Const,
    DeviceCount,
    Items,
    Rank,
    Unknown,
    Value,
    WorldSize,
)

Carried: TypeAlias = Mapping[Value, "tuple[Value, Value] | None"]
"""As `Run.carried`."""

Choice: TypeAlias = Callable[[Value], "bool | None"]
"""The truth that a replay gives to a condition that is not decided; None when it follows neither of its arms."""

_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"})
_SUMS = frozenset({"+", "-", "*", "/", "//", "%"})


class Residuals:
    """The residuals of values for one process. What the rank does not decide stays as it is."""

    def __init__(self, process: Process, carried: Carried) -> None:
        self._process = process
        self._carried = {
            unknown: change
            for unknown, change in carried.items()
            if change is not None and (change[1] == unknown or tags_of(change[1]) & RANK_TAGS)
        }
        self._known: dict[Value, Value] = {}
        self._open: set[Value] = set()

    def of(self, value: Value) -> Value:
        """The value as this process computes it."""
        if not self._carried and not tags_of(value) & RANK_TAGS:
            return value
        known = self._known.get(value)
        if known is None:
            known = self._compute(value)
            self._known[value] = known
        return known

    def _compute(self, value: Value) -> Value:
        if isinstance(value, Rank):
            return self._number(self._process.number(value.scope), value.text, value)
        if isinstance(value, Unknown):
            return self._unknown(value)
        if isinstance(value, Alternatives):
            return self._chosen(value)
        if isinstance(value, Items):
            return Items(value.kind, tuple(map(self.of, value.items)), value.open)
        if isinstance(value, Apply):
            return self._applied(value, [self._operand(part) for part in value.operands])
        return value

    def _operand(self, value: Value) -> Value:
        """Sizes are only put in beside ranks: alone they are conditions that are equal on all ranks."""
        if isinstance(value, WorldSize):
            return self._number(self._process.size(value.scope), value.text, value)
        if isinstance(value, DeviceCount):
            return Const(self._process.local_world_size)
        if isinstance(value, Apply) and value.operator in _SUMS and not tags_of(value) & RANK_TAGS:
            return self._applied(value, [self._operand(part) for part in value.operands])
        return self.of(value)

    @staticmethod
    def _number(number: int | None, text: bool, value: Value) -> Value:
        if number is None:
            return value
        return Const(str(number)) if text else Const(number)

    def _unknown(self, value: Unknown) -> Value:
        change = self._carried.get(value)
        if change is not None:
            if value in self._open:
                return value
            self._open.add(value)
            before, after = change
            unchanged = self._compute(after) == value
            self._open.discard(value)
            return self.of(before) if unchanged else value
        if value.tags & RANK_TAGS and value.origin is not None:
            return Unknown(("of rank", value.origin, self._process.rank), value.tags)
        return value

    def _chosen(self, value: Alternatives) -> Value:
        kept: list[tuple[frozenset[tuple[Value, bool]], Value]] = []
        for labels, option in value.options:
            left: set[tuple[Value, bool]] = set()
            for condition, wanted in labels:
                residual = self.of(condition)
                known = truth_of(residual)
                if known is None:
                    left.add((residual, wanted))
                elif known is not wanted:
                    break
            else:
                kept.append((frozenset(left), self.of(option)))
        if not kept:
            return value
        return kept[0][1] if len(kept) == 1 else choose(kept)

    @staticmethod
    def _applied(value: Apply, operands: list[Value]) -> Value:
        name = value.operator
        if name == "not":
            return negate(operands[0])
        if name in ("and", "or"):
            stops = name == "or"
            left: list[Value] = []
            for operand in operands:
                known = truth_of(operand)
                if known is stops:
                    return TRUE if stops else FALSE
                if known is None:
                    left.append(operand)
            if not left:
                return FALSE if stops else TRUE
            return left[0] if len(left) == 1 else Apply(name, tuple(left))
        if len(operands) == 2:
            if name in _COMPARISONS:
                return compare(name, operands[0], operands[1])
            if name in _SUMS:
                return arithmetic(name, operands[0], operands[1])
            if name == "index":
                return _item(operands[0], operands[1]) or apply(name, *operands)
        return Apply(name, tuple(operands), value.location)


def _item(container: Value, index: Value) -> Value | None:
    if isinstance(container, Items) and not container.open and isinstance(index, Const):
        number = index.value
        if isinstance(number, int) and -len(container.items) <= number < len(container.items):
            return container.items[number]
    return None


# --- conditions -------------------------------------------------------------------------------------------------------


def truth(residual: Value, choice: Choice) -> bool | None:
    """Whether a condition holds when its undecided parts have the truths that `choice` gives them."""
    known = truth_of(residual)
    if known is not None:
        return known
    condition, wanted = normal(residual)
    inner = _truth(condition, choice)
    return None if inner is None else inner is wanted


def _truth(condition: Value, choice: Choice) -> bool | None:
    if isinstance(condition, Apply) and condition.operator in ("and", "or"):
        stops = condition.operator == "or"
        truths = [truth(operand, choice) for operand in condition.operands]
        if stops in truths:
            return stops
        return None if None in truths else not stops
    if isinstance(condition, Alternatives):
        return _truth_of_choice(condition, choice)
    known = truth_of(condition)
    return choice(condition) if known is None else known


def _truth_of_choice(condition: Alternatives, choice: Choice) -> bool | None:
    """The truth of the alternative that holds: the one with most conditions, for some of the others' may be lost."""
    held: list[tuple[int, bool | None]] = []
    certain = True
    for labels, option in condition.options:
        given = [
            truth(label, choice) is wanted if truth(label, choice) is not None else None for label, wanted in labels
        ]
        if False not in given:
            certain = certain and None not in given
            held.append((len(labels), truth(option, choice)))
    if certain and held:
        return max(held, key=lambda each: each[0])[1]
    truths = {each for _, each in held}
    return truths.pop() if len(truths) == 1 else None


def atoms(residual: Value) -> Iterable[Value]:
    """The undecided conditions that a condition is made of, without their negations."""
    if truth_of(residual) is not None:
        return
    condition, _ = normal(residual)
    if isinstance(condition, Apply) and condition.operator in ("and", "or"):
        for operand in condition.operands:
            yield from atoms(operand)
    elif isinstance(condition, Alternatives):
        for labels, option in condition.options:
            for label, _ in labels:
                yield from atoms(label)
            yield from atoms(option)
    elif truth_of(condition) is None:
        yield condition


def solve(residual: Value, wanted: bool, chosen: dict[Value, bool]) -> bool:
    """Add truths to `chosen` under which a condition has the truth `wanted`; False when there are none."""
    known = truth_of(residual)
    if known is not None:
        return known is wanted
    condition, holds = normal(residual)
    wanted = wanted is holds
    if isinstance(condition, Apply) and condition.operator in ("and", "or"):
        if (condition.operator == "and") is wanted:
            return all(solve(operand, wanted, chosen) for operand in condition.operands)
        return any(_try(operand, wanted, chosen) for operand in condition.operands)
    if isinstance(condition, Alternatives):
        for labels, option in condition.options:
            attempt = dict(chosen)
            if all(solve(label, truth, attempt) for label, truth in labels) and solve(option, wanted, attempt):
                chosen.update(attempt)
                return True
        return False
    known = truth_of(condition)
    if known is not None:
        return known is wanted
    return not is_repeatable(condition) or chosen.setdefault(condition, wanted) is wanted


def _try(condition: Value, wanted: bool, chosen: dict[Value, bool]) -> bool:
    attempt = dict(chosen)
    if not solve(condition, wanted, attempt):
        return False
    chosen.update(attempt)
    return True
