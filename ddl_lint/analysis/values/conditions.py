"""Conditions: their one form, their truth, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias, cast

from ddl_lint.analysis.values.bounded import COMPARISONS, OPERATORS, RELATIONS
from ddl_lint.analysis.values.visitors import is_repeatable
from ddl_lint.program.values import (
    FALSE,
    NONE,
    TRUE,
    Alternatives,
    Apply,
    Bound,
    ClassRef,
    Const,
    Flag,
    FunctionRef,
    Items,
    ModuleRef,
    Object,
    Rank,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
    WorldSize,
)

Condition: TypeAlias = tuple[Value, bool]
"""A condition and its truth."""

Facts: TypeAlias = Mapping[Value, bool]

Choice: TypeAlias = Callable[[Value], "bool | None"]
"""The truth that is given to a condition that is not decided; None where it is given none."""


def normal(condition: Value) -> Condition:
    """A condition without its negations, and the truth that the original asks of it."""
    truth = True
    while True:
        if isinstance(condition, Apply) and condition.operator == "not":
            condition, truth = condition.operands[0], not truth
        elif isinstance(condition, Apply) and condition.operator in ("!=", "not in", "is not"):
            condition, truth = Apply(OPERATORS[condition.operator].opposite, condition.operands), not truth
        elif isinstance(condition, Alternatives) and (switch := _switch(condition)) is not None:
            condition, truth = switch[0], switch[1] is truth
        else:
            return condition, truth


def _switch(value: Alternatives) -> Condition | None:
    """The condition that decides between something true and something false: `y = 3 if c else 0` is true if `c` is."""
    if len(value.options) != 2:
        return None
    (first, one), (second, other) = value.options
    truth = truth_of(one)
    if truth is None or truth_of(other) is not (not truth) or len(first) != 1 or len(second) != 1:
        return None
    ((condition, arm),), ((opposite, other_arm),) = first, second
    return (condition, arm is truth) if condition == opposite and arm is not other_arm else None


def exclude(first: Condition, second: Condition) -> bool:
    """Whether two conditions in their normal form cannot both have their truths: they are one, or compare one thing
    with constants: `kind == "a"` and `kind == "b"`, `level >= 0` and `level == -1`.
    """
    (condition, truth), (other, held) = first, second
    if condition == other:
        return truth is not held
    if _of_other_command(first, second) or _of_other_command(second, first):
        return True
    one, two = _bound(condition), _bound(other)
    if one is None or two is None or one[1] != two[1]:
        return False
    (sign, _, limit), (other_sign, _, other_limit) = one, two
    if isinstance(limit, str) or isinstance(other_limit, str):
        return truth and held and sign == other_sign == "==" and limit != other_limit
    points = sorted({limit, other_limit})
    points = [points[0] - 1, *points, sum(points) / len(points), points[-1] + 1]
    return not any(
        OPERATORS[sign].compute(point, limit) is truth and OPERATORS[other_sign].compute(point, other_limit) is held
        for point in points
    )


def _of_other_command(asked: Condition, other: Condition) -> bool:
    """Whether an option that is given belongs to none of the sub-commands of which the other condition lets one run."""
    (option, given), (condition, truth) = asked, other
    if not (isinstance(option, Setting) and option.commands and given) or truth_of(option.default or NONE) is not False:
        return False
    if isinstance(condition, Setting):
        mine, others = (_by_setting(each) for each in (option, condition))
        is_given = truth and truth_of(condition.default or NONE) is False
        return is_given and any(mine[name].isdisjoint(others[name]) for name in mine.keys() & others.keys())
    bound = _bound(condition)
    if bound is None or bound[0] != "==" or not isinstance(bound[1], Setting):
        return False
    names = {name for setting, name in option.commands if setting == bound[1].name}
    return bool(names) and (bound[2] not in names if truth else names == {bound[2]})


def _by_setting(option: Setting) -> dict[str, set[str]]:
    """The commands that have an option, by the setting that tells them."""
    found: dict[str, set[str]] = {}
    for setting, name in option.commands:
        found.setdefault(setting, set()).add(name)
    return found


def denied(condition: Condition, known: Facts) -> bool:
    """Whether a condition in its normal form cannot have its truth beside what is known."""
    held = known.get(condition[0])
    if held is not None and held is not condition[1]:
        return True
    return _bound(condition[0]) is not None and any(exclude(condition, other) for other in known.items())


def _bound(condition: Value) -> tuple[str, Value, str | int | float] | None:
    """The comparison, the thing and the constant where one thing is compared with a constant."""
    if not isinstance(condition, Apply) or condition.operator not in RELATIONS:
        return None
    left, right = condition.operands
    sign = condition.operator
    if isinstance(left, Const):
        left, right, sign = right, left, OPERATORS[sign].mirrored
    if isinstance(left, Const) or not isinstance(right, Const) or isinstance(right.value, bool):
        return None
    return (sign, left, right.value) if isinstance(right.value, (str, int, float)) else None


def negate(value: Value) -> Value:
    """`not value`."""
    known = truth_of(value)
    if known is not None:
        return FALSE if known else TRUE
    if isinstance(value, Apply):
        if value.operator == "not":
            return value.operands[0]
        if value.operator in COMPARISONS:
            return Apply(OPERATORS[value.operator].opposite, value.operands)
    return Apply("not", (value,))


def connect(name: str, conditions: Iterable[Value]) -> Value:
    """Conditions with `and` or `or` between them, as far as they are not decided."""
    stops = name == "or"
    left: list[Value] = []
    for condition in conditions:
        known = truth_of(condition)
        if known is stops:
            return TRUE if stops else FALSE
        if known is None:
            left.append(condition)
    if not left:
        return FALSE if stops else TRUE
    return left[0] if len(left) == 1 else Apply(name, tuple(left))


def clauses(condition: Value) -> Iterator[Value]:
    """The conditions that `and`, `or` and `not` combine, in their normal form."""
    condition, _ = normal(condition)
    if isinstance(condition, Apply) and condition.operator in ("and", "or"):
        for operand in condition.operands:
            yield from clauses(operand)
    else:
        yield condition


def truth_of(value: Value, facts: Facts | None = None) -> bool | None:
    """Whether a value is true in the distributed run that we look at; None when that is not decided."""
    if isinstance(value, Const):
        return bool(value.value)
    if facts:
        condition, wanted = normal(value)
        known = _known(condition, facts)
        if known is not None:
            return known is wanted
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Apply):
        if value.operator == "not":
            inner = truth_of(value.operands[0], facts)
            return None if inner is None else not inner
        if value.operator in ("and", "or"):
            wanted = value.operator == "or"
            inner_truths = [truth_of(operand, facts) for operand in value.operands]
            if wanted in inner_truths:
                return wanted
            return None if None in inner_truths else not wanted
        if value.operator == "text":
            return True if value.operands else None
        return True if value.operator == "encoded" else None
    if isinstance(value, Alternatives):
        truths = {truth_of(option, facts) for _, option in value.options}
        return truths.pop() if len(truths) == 1 else None
    if isinstance(value, Object):
        return None if value.kind in ("tensor", "other", "namespace", "path") else True
    if isinstance(value, (Items, Table)):
        return True if value.items else (None if value.open else False)
    if isinstance(value, Rank):
        return True if value.text else None
    if isinstance(value, Flag):
        return True if value.name == "distributed" else None
    return True if isinstance(value, (WorldSize, FunctionRef, ClassRef, ModuleRef, Bound)) else None


def _known(condition: Value, facts: Facts) -> bool | None:
    """The truth of a condition in its normal form, or of what says the opposite: `count > 1` and `count <= 1`."""
    known = facts.get(condition)
    if known is None and isinstance(condition, Apply) and condition.operator in RELATIONS:
        opposite = OPERATORS[condition.operator].opposite
        denied = facts.get(Apply(opposite, condition.operands)) if opposite else None
        return None if denied is None else not denied
    return known


ANSWERS = "answers"
"""The operator of a test of a choice: the choice, and the answer for each of its options, in order."""


def consequences(condition: Value, truth: bool) -> list[Condition]:
    """All that is known when a condition has a truth: `a and b` being true makes both true."""
    condition, wanted = normal(condition)
    truth = truth is wanted
    out = [(condition, truth)]
    if isinstance(condition, Apply) and (
        (condition.operator == "and" and truth) or (condition.operator == "or" and not truth)
    ):
        for operand in condition.operands:
            out.extend(consequences(operand, truth))
    elif isinstance(condition, Apply) and condition.operator == ANSWERS:
        subject, answers = condition.operands
        if isinstance(subject, Alternatives) and isinstance(answers, Items):
            options = zip(subject.options, answers.items, strict=True)
            allowed = [labels for (labels, _), answer in options if truth_of(answer) is not (not truth)]
            out.extend(in_order(allowed[0].intersection(*allowed)) if allowed else ())
    elif isinstance(condition, Alternatives):
        left = [(labels, option) for labels, option in condition.options if truth_of(option) is not (not truth)]
        if 0 < len(left) < len(condition.options):
            shared = left[0][0].intersection(*(labels for labels, _ in left))
            out.extend(in_order(shared))
            if len(left) == 1:
                out.extend(consequences(left[0][1], truth))
    return out


def in_order(conditions: frozenset[Condition]) -> list[Condition]:
    """The conditions of a label in an order that does not depend on their hashes, which are never the same twice."""
    if len(conditions) < 2:
        return list(conditions)
    return sorted(conditions, key=lambda condition: (_spelled(condition[0]), condition[1]))


def _spelled(part: object) -> str:
    """A text for a value by which values can be sorted."""
    if isinstance(part, tuple):
        return " ".join(map(_spelled, cast("tuple[object, ...]", part)))
    if isinstance(part, Unknown):
        return _spelled(part.origin)
    if isinstance(part, Apply):
        return f"{part.operator} {_spelled(part.operands)}"
    if isinstance(part, Alternatives):
        return _spelled(tuple(option for _, option in part.options))
    if isinstance(part, Object):
        return _spelled(tuple(part.location))
    if isinstance(part, (Symbol, Setting, Flag)):
        return part.name
    if isinstance(part, (Const, Rank, WorldSize, str, int)):
        return str(part)
    return type(part).__name__


# --- conditions of which parts are chosen ----------------------------------------------------------------------------


def truth_given(residual: Value, choice: Choice) -> bool | None:
    """Whether a condition holds when its undecided parts have the truths that `choice` assigns to them."""
    known = truth_of(residual)
    if known is not None:
        return known
    condition, wanted = normal(residual)
    inner = _truth_of_normal(condition, choice)
    return None if inner is None else inner is wanted


def _truth_of_normal(condition: Value, choice: Choice) -> bool | None:
    if isinstance(condition, Apply) and condition.operator in ("and", "or"):
        stops = condition.operator == "or"
        truths = [truth_given(operand, choice) for operand in condition.operands]
        if stops in truths:
            return stops
        return None if None in truths else not stops
    if isinstance(condition, Alternatives):
        return _truth_of_alternatives(condition, choice)
    known = truth_of(condition)
    return choice(condition) if known is None else known


def _truth_of_alternatives(condition: Alternatives, choice: Choice) -> bool | None:
    """The truth of the alternative that holds: the one with most conditions, for some of the others' may be lost."""
    held: list[tuple[int, bool | None]] = []
    certain = True
    for labels, option in condition.options:
        given = [None if (known := truth_given(label, choice)) is None else known is wanted for label, wanted in labels]
        if False not in given:
            certain = certain and None not in given
            held.append((len(labels), truth_given(option, choice)))
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
        if chosen and any(_is_so(operand, wanted, chosen) for operand in condition.operands):
            return True
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


def _is_so(condition: Value, wanted: bool, chosen: Mapping[Value, bool]) -> bool:
    """Whether a condition has a truth by what is chosen already."""
    attempt = dict(chosen)
    return solve(condition, wanted, attempt) and len(attempt) == len(chosen)


def _try(condition: Value, wanted: bool, chosen: dict[Value, bool]) -> bool:
    attempt = dict(chosen)
    if not solve(condition, wanted, attempt):
        return False
    chosen.update(attempt)
    return True
