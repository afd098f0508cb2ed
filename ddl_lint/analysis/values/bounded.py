"""The operators of Python, on constants of the checked program; never anything large: a line may ask for gigabytes.

Whoever computes what a program computes does it here. How large a result would be is known before it is made.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

LONGEST = 4000
"""Characters of a string, or bytes."""
MOST_ELEMENTS = 512
MOST_BITS = 12_000
"""Of an integer: its digits are as many as a string may have characters."""

_DIRECTIVE = re.compile(r"%(?:\(.*?\))?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?")


class TooLarge(ArithmeticError):
    """The result would be larger than anything that is worth knowing."""


def compute(name: str, *operands: Any) -> Any:
    """What an operator or a function makes of constants: `left + right`, `-value`, `len(items)`.

    Raises:
        TooLarge: the result would be.
        TypeError, ValueError, ArithmeticError, IndexError: as Python says; also for what is not known here.
    """
    if len(operands) == 2 and name in OPERATORS:
        return small(OPERATORS[name].compute(*operands))
    if name not in _FUNCTIONS:
        raise TypeError(name)
    return small(_FUNCTIONS[name](*operands))


def small(value: Any) -> Any:
    """A value as it is.

    Raises:
        TooLarge: it is.
    """
    if isinstance(value, (str, bytes)):
        is_large = len(value) > LONGEST
    elif isinstance(value, int):
        is_large = value.bit_length() > MOST_BITS
    else:
        is_large = (_length(value) or 0) > MOST_ELEMENTS
    if is_large:
        raise TooLarge
    return value


def text(value: object) -> str:
    """`str(value)` of a constant.

    Raises:
        TooLarge: it would be.
    """
    small(value)
    return str(value)


def joined(*values: object) -> str:
    """The texts of constants, one after the other.

    Raises:
        TooLarge: the result would be.
    """
    parts = [text(value) for value in values]
    if sum(map(len, parts)) > LONGEST:
        raise TooLarge
    return "".join(parts)


def integer(value: Any) -> int:
    """`int(value)` of a constant.

    Raises:
        TooLarge: it, or its text, would be.
        TypeError, ValueError, ArithmeticError: it is no integer.
    """
    number: int = small(int(small(value)))
    return number


def numbers(*borders: int) -> list[int]:
    """`range(*borders)` as a list.

    Raises:
        TooLarge: it has more than `MOST_ELEMENTS`.
        TypeError, ValueError: as Python says.
    """
    found = range(*borders)
    if found[MOST_ELEMENTS:]:  # `len` fails where it does not fit into a word of the machine
        raise TooLarge
    return list(found)


def how_many(*borders: int) -> int | None:
    """The number of elements of `range(*borders)`; None where it is beyond counting."""
    try:
        return len(range(*borders))
    except (OverflowError, TypeError, ValueError):
        return None


def _length(value: Any) -> int | None:
    """How many characters or elements a value has; None for one that has none."""
    return len(value) if isinstance(value, (str, bytes, list, tuple)) else None  # type: ignore[reportUnknownArgumentType]


def _add(left: Any, right: Any) -> Any:
    _refuse((_length(left) or 0) + (_length(right) or 0), left)
    return left + right


def _multiply(left: Any, right: Any) -> Any:
    sequence, times = (left, right) if _length(right) is None else (right, left)
    length = _length(sequence)
    if length is not None and isinstance(times, int):
        _refuse(length * max(times, 0), sequence)
    elif isinstance(left, int) and isinstance(right, int):
        _refuse_bits(left.bit_length() + right.bit_length())
    return left * right


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, int) and isinstance(exponent, int) and exponent > 0:
        _refuse_bits(base.bit_length() * exponent)
    return base**exponent


def _shift(number: Any, places: Any) -> Any:
    if isinstance(number, int) and isinstance(places, int) and places > 0:
        _refuse_bits(number.bit_length() + places)
    return number << places


def _remainder(left: Any, right: Any) -> Any:
    if not isinstance(left, (str, bytes)):
        return left % right
    template = left if isinstance(left, str) else left.decode("latin-1")
    widths = [part for found in _DIRECTIVE.finditer(template) for part in found.groups() if part]
    if any(width == "*" or len(width) > len(str(LONGEST)) for width in widths):
        raise TooLarge
    values = cast("tuple[Any, ...]", right if isinstance(right, tuple) else (right,))
    _refuse(len(left) + sum(map(int, widths)) + sum(_length(value) or 0 for value in values), left)
    return left % right


def _refuse(length: int, kind: object) -> None:
    if length > (LONGEST if isinstance(kind, (str, bytes)) else MOST_ELEMENTS):
        raise TooLarge


def _refuse_bits(bits: int) -> None:
    if bits > MOST_BITS:
        raise TooLarge


def _distinct(items: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(items))


def _backwards(items: Sequence[Any]) -> list[Any]:
    return list(reversed(items))


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of Python with two operands."""

    compute: Callable[[Any, Any], Any]

    opposite: str = ""
    """Of a comparison, the one that is true where this one is false."""

    mirrored: str = ""
    """Of a comparison, the one that is the same when its sides are exchanged; empty where there is none."""


OPERATORS: dict[str, Operator] = {
    "+": Operator(_add),
    "-": Operator(operator.sub),
    "*": Operator(_multiply),
    "/": Operator(lambda left, right: left / right),
    "//": Operator(lambda left, right: left // right),
    "%": Operator(_remainder),
    "**": Operator(_power),
    "^": Operator(lambda left, right: left ^ right),
    "&": Operator(lambda left, right: left & right),
    "|": Operator(lambda left, right: left | right),
    "<<": Operator(_shift),
    ">>": Operator(lambda left, right: left >> right),
    "==": Operator(operator.eq, "!=", "=="),
    "!=": Operator(operator.ne, "==", "!="),
    "<": Operator(operator.lt, ">=", ">"),
    "<=": Operator(operator.le, ">", ">="),
    ">": Operator(operator.gt, "<=", "<"),
    ">=": Operator(operator.ge, "<", "<="),
    "is": Operator(operator.eq, "is not", "is"),
    "is not": Operator(operator.ne, "is", "is not"),
    "in": Operator(lambda item, container: item in container, "not in"),
    "not in": Operator(lambda item, container: item not in container, "in"),
    "index": Operator(lambda container, index: container[index]),
}
"""The operators that the analysis knows."""

COMPARISONS = frozenset(sign for sign, known in OPERATORS.items() if known.opposite)
RELATIONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%"})

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "-": operator.neg,
    "range": numbers,
    "list": list,
    "tuple": list,
    "set": _distinct,
    "sorted": sorted,
    "reversed": _backwards,
    "len": len,
    "min": min,
    "max": max,
}
