"""Python's operators on abstract values: computed where the operands are known, kept as an operation where not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

from ddl_lint.analysis.values import bounded
from ddl_lint.analysis.values.bounded import ARITHMETIC, COMPARISONS, OPERATORS
from ddl_lint.analysis.values.conditions import connect, negate
from ddl_lint.analysis.values.lattice import spread
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of, tags_of_all
from ddl_lint.program.values import (
    FALSE,
    NONE,
    TRUE,
    Alternatives,
    Apply,
    ClassRef,
    Const,
    DeviceCount,
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
from ddl_lint.source.span import Location

_LARGEST_OPERATION = 60
_PERCENT = re.compile("%[sd]")


def apply(name: str, *operands: Value) -> Value:
    """An operation that cannot be computed; one that grew too large is unknown, but keeps what it depends on."""
    if sum([operand.size for operand in operands]) > _LARGEST_OPERATION:
        return Unknown(None, tags_of_all(operands))
    return Apply(name, operands)


def applied(operation: Apply, operands: Sequence[Value]) -> Value:
    """An operation on other operands than its own, which may be better known."""
    name = operation.operator
    if name == "not":
        return negate(operands[0])
    if name in ("and", "or"):
        return connect(name, operands)
    if len(operands) == 2 and name in ARITHMETIC:
        return arithmetic(name, *operands)
    if len(operands) == 2 and name in COMPARISONS:
        return compare(name, *operands)
    if len(operands) == 2 and name == "index":
        return _element(*operands) or apply(name, *operands)
    if name == "text" and len(operands) == 1 and _is_caseless(operands[0]):
        return operands[0]
    return Apply(name, tuple(operands), operation.location)


def _is_caseless(value: Value) -> bool:
    """Whether a value is a string that lower case, upper case and stripping leave as it is."""
    text = value.value if isinstance(value, Const) else None
    return isinstance(text, str) and text == text.lower() == text.upper() == text.strip()


def evaluated(operation: Value) -> Value:
    """What an operation or a call comes to when all of its operands are concrete; else the value itself."""
    if not isinstance(operation, Apply):
        return operation
    try:
        return abstract(bounded.compute(operation.operator, *map(concrete, operation.operands)))
    except (Undecided, TypeError, ValueError, ArithmeticError, IndexError):
        return operation


def _element(container: Value, index: Value) -> Value | None:
    if isinstance(container, Items) and not container.open and isinstance(index, Const):
        number = index.value
        if isinstance(number, int) and -len(container.items) <= number < len(container.items):
            return container.items[number]
    return None


def arithmetic(sign: str, left: Value, right: Value) -> Value:
    """`left sign right`."""
    if isinstance(left, Const) and isinstance(right, Const) and sign in ARITHMETIC:
        try:
            result = bounded.compute(sign, left.value, right.value)
        except (TypeError, ValueError, ArithmeticError):
            return Unknown()
        return Const(result) if isinstance(result, (bool, int, float, str)) else Unknown()
    if sign == "%" and isinstance(left, Const) and isinstance(left.value, str):
        values = right.items if isinstance(right, Items) and right.kind == "tuple" else (right,)
        return fill_in(_PERCENT.split(left.value), values) or apply(sign, left, right)
    if isinstance(left, Items) and isinstance(right, Items) and sign == "+":
        return Items(left.kind, left.items + right.items, left.open or right.open)
    if isinstance(left, Items) and sign == "*" and left.kind == "list":
        if isinstance(right, Const) and isinstance(right.value, int) and 0 <= right.value * len(left.items) <= 16:
            return Items(left.kind, left.items * right.value, left.open)
        return apply("*", left, right)
    if isinstance(left, Alternatives) or isinstance(right, Alternatives):
        return spread(lambda a, b: arithmetic(sign, a, b), left, right)
    if sign == "+" and Const(0) in (left, right):
        return right if left == Const(0) else left
    return (_global_rank(left, right) if sign == "+" else None) or apply(sign, left, right)


def _global_rank(left: Value, right: Value) -> Rank | None:
    """`node_rank * processes_per_node + local_rank`: the rank in the whole job, however the node's number is called."""
    first, local = (left, right) if isinstance(right, Rank) else (right, left)
    if not isinstance(local, Rank) or local.scope != "local" or local.text:
        return None
    if not isinstance(first, Apply) or first.operator != "*":
        return None
    nodes = [part for part in first.operands if isinstance(part, Rank) and part.scope in ("node", "global")]
    if len(nodes) != 1 or any(tags_of(part) & RANK_TAGS for part in first.operands if part is not nodes[0]):
        return None
    return Rank("global", source=nodes[0].source)


def fill_in(pieces: Sequence[str], values: Sequence[Value]) -> Value | None:
    """The text with values between its pieces; None when their numbers do not fit."""
    if len(pieces) != len(values) + 1:
        return None
    parts: list[Value] = [Const(pieces[0])]
    for value, piece in zip(values, pieces[1:], strict=True):
        parts += [value, Const(piece)]
    if all(isinstance(part, Const) for part in parts):
        return constant_text(parts)
    return apply("text", *(part for part in parts if part != Const("")))


def constant_text(parts: Iterable[Value], location: Location | None = None) -> Value:
    """The texts of constants, one after the other."""
    try:
        return Const(bounded.joined(*(part.value for part in parts if isinstance(part, Const))), location)
    except bounded.TooLarge:
        return Unknown()


def compare(sign: str, left: Value, right: Value) -> Value:
    """`left sign right`: a constant where it is decided."""
    if isinstance(left, Alternatives) or isinstance(right, Alternatives):
        return spread(lambda a, b: compare(sign, a, b), left, right)
    decided = _decide(sign, left, right)
    if decided is not None:
        return TRUE if decided else FALSE
    return apply(sign, left, right)


def _decide(sign: str, left: Value, right: Value) -> bool | None:
    if sign in ("is", "is not"):
        same = _same(left, right)
        return None if same is None else same is (sign == "is")
    if sign in ("in", "not in"):
        if not isinstance(right, Items) or right.open:
            if isinstance(right, Table) and right.is_told and isinstance(left, Const):
                return (left in [key for key, _ in right.items]) is (sign == "in")
            if isinstance(left, Const) and isinstance(right, Const) and isinstance(left.value, str):
                return (left.value in right.value) is (sign == "in") if isinstance(right.value, str) else None
            return None
        decisions = [_decide("==", left, item) for item in right.items]
        if True in decisions:
            return sign == "in"
        return None if None in decisions else sign != "in"
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return bool(OPERATORS[sign].compute(left.value, right.value))
        except TypeError:
            return None
    if sign in ("==", "!=") and (left == NONE or right == NONE):
        same = _same(left, right)
        return None if same is None else same is (sign == "==")
    first, second = bounds(left), bounds(right)
    if first is None or second is None:
        if sign in ("==", "!=") and left is right and isinstance(left, (Object, Symbol)):
            return sign == "=="
        return None
    return _decide_ranges(sign, first, second)


def _decide_ranges(sign: str, first: tuple[int, int | None], second: tuple[int, int | None]) -> bool | None:
    low, high = first
    other_low, other_high = second
    if sign in (">", ">="):
        return _decide_ranges(OPERATORS[sign].mirrored, second, first)
    if sign == "<":
        if high is not None and high < other_low:
            return True
        return False if other_high is not None and low >= other_high else None
    if sign == "<=":
        if high is not None and high <= other_low:
            return True
        return False if other_high is not None and low > other_high else None
    apart = (high is not None and high < other_low) or (other_high is not None and other_high < low)
    equal = low == high == other_low == other_high
    if apart or equal:
        return equal is (sign == "==")
    return None


def _same(left: Value, right: Value) -> bool | None:
    """`left is right`, decided where one side is None."""
    if left == NONE and right == NONE:
        return True
    other = right if left == NONE else left if right == NONE else None
    if other is None:
        if isinstance(left, (Object, ClassRef, FunctionRef)) and isinstance(right, (Object, ClassRef, FunctionRef)):
            return left == right
        return _decide("==", left, right) if isinstance(left, Const) and isinstance(right, Const) else None
    if isinstance(other, (Const, Rank, WorldSize, DeviceCount, Items, Table, Object, FunctionRef, ClassRef, ModuleRef)):
        return False
    if isinstance(other, Apply) and other.operator in ("text", "range", "+", "-", "*", "/", "//", "%"):
        return False
    if isinstance(other, Setting) and other.source == "argument":
        # None cannot be written in a command line: an option is None only by default.
        return False if isinstance(other.default, Const) and other.default != NONE else None
    return None


def bounds(value: Value) -> tuple[int, int | None] | None:
    """Least and greatest integer that a value may be; None when it is no integer that we know of."""
    if isinstance(value, Const) and isinstance(value.value, int):
        return int(value.value), int(value.value)
    if isinstance(value, Rank) and not value.text:
        return 0, None
    if isinstance(value, WorldSize) and not value.text:
        return (2, None) if value.scope == "global" else (1, None)
    if isinstance(value, DeviceCount):
        return 0, None
    return None


# --- values of the checked program as our own -------------------------------------------------------------------------

Concrete: TypeAlias = "int | float | str | bytes | list[Concrete] | None"
"""A constant, or a list of such: tuples and sets are lists, too."""


class Undecided(Exception):
    """A value is not concrete: too little is known of it."""


def concrete(value: Value) -> Concrete:
    """A value as Python has it.

    Raises:
        Undecided: it is no constant, and no list of constants.
    """
    if isinstance(value, Const) and (value.value is None or isinstance(value.value, (int, float, str, bytes))):
        return value.value
    if isinstance(value, Items) and not value.open:
        return [concrete(item) for item in value.items]
    raise Undecided


def abstract(value: Any) -> Value:
    """The value that Python's `value` is; the opposite of `concrete`.

    Raises:
        Undecided: it is neither a constant nor a list.
    """
    if isinstance(value, list):
        return Items("list", tuple(map(abstract, cast("list[Any]", value))))
    if value is None or isinstance(value, (int, float, str, bytes)):
        return Const(value)
    raise Undecided


def without_key(table: Table, key: Value) -> Table:
    """A dict from which a key was taken; where it is not known which, nothing is known of the others."""
    if not isinstance(key, Const):
        return Table((), open=True)
    kept = tuple((name, held) for name, held in table.items if name != key)
    return Table(kept, table.open or any(not isinstance(name, Const) for name, _ in kept))
