"""Takes a value apart: what a rule looks for in it, by the form in which a program writes it.

Each function returns the parts where the value has the form, and None where it has not or nothing is known of it.
It looks at this value alone: `parts(value)` yields all that it is made of, `alternatives(value)` what it may be.

    if (pair := match.modulo(condition)) is not None:
        dividend, divisor = pair
"""

from __future__ import annotations

from typing import TypeAlias, cast

from ddl_lint.analysis.values.visitors import parts
from ddl_lint.program.values import Apply, Const, Items, Unknown, Value
from ddl_lint.source.span import Location

Pair: TypeAlias = tuple[Value, Value]

# --- calculations -----------------------------------------------------------------------------------------------------


def modulo(value: Value | None) -> Pair | None:
    """`a % b`: a and b."""
    return _pair(value, "%")


def product(value: Value | None) -> Pair | None:
    """`a * b`: a and b, also where one of them is a list."""
    return _pair(value, "*")


def quotient(value: Value | None) -> Pair | None:
    """`a / b`: a and b, also where they are paths."""
    return _pair(value, "/")


def floor_div(value: Value | None) -> Pair | None:
    """`a // b`: a and b."""
    return _pair(value, "//")


def addition(value: Value | None) -> Pair | None:
    """`a + b`: a and b, also where they are texts or lists."""
    return _pair(value, "+")


def negation(value: Value | None) -> Value | None:
    """`-a`: a."""
    return _only(value, "-")


def ceil_div(value: Value | None) -> Value | None:
    """What is divided and rounded up, as far as it is seen.

    `math.ceil(n / k)`, `-(-n // k)` and `n // k + 1` yield n; `(n + k - 1) // k` yields the whole sum.
    """
    if (rounded := _only(value, "ceil")) is not None:
        divided = quotient(rounded)
        return divided[0] if divided is not None else rounded
    if (divided := floor_div(negation(value))) is not None:
        inner = negation(divided[0])
        return inner if inner is not None else divided[0]
    if (divided := floor_div(value)) is not None:
        return divided[0] if any(addition(part) is not None for part in parts(divided[0])) else None
    added = addition(value)
    if added is None or Const(1) not in added:
        return None
    return next((divided[0] for side in added if (divided := floor_div(side)) is not None), None)


def arithmetic(value: Value | None) -> tuple[Value, ...] | None:
    """`a + b`, `a - b`, `a * b`, `a / b`, `a // b`, `a ** b`, `-a` and `float(a)`: a and b."""
    return _operands(value, "+", "-", "*", "/", "//", "**", "float")


def least_of(value: Value | None) -> tuple[Value, ...] | None:
    """`min(a, b)`: a and b."""
    return _operands(value, "min")


# --- conditions -------------------------------------------------------------------------------------------------------


def compared(value: Value | None) -> Pair | None:
    """`a == b`, `a != b`, `a < b`, `a <= b`, `a > b` and `a >= b`: a and b."""
    return _pair(value, "==", "!=", "<", "<=", ">", ">=")


def membership(value: Value | None) -> Pair | None:
    """`a in b`: a and b."""
    return _pair(value, "in")


def disjunction(value: Value | None) -> tuple[Value, ...] | None:
    """`a or b or c`: a, b and c, as far as they were joined at once."""
    return _operands(value, "or")


def existence(value: Value | None) -> Value | None:
    """`os.path.exists(path)`, `path.is_file()` and the like: the path."""
    return _first(value, "exists")


def inspection(value: Value | None) -> Pair | None:
    """`hasattr(object, name)` and `isinstance(object, kind)`: the object, and for what it is looked through."""
    return _pair(value, "hasattr", "isinstance")


# --- ranges and loops -------------------------------------------------------------------------------------------------


def range_of(value: Value | None) -> tuple[Value, ...] | None:
    """`range(...)`: its arguments."""
    return _operands(value, "range")


def range_to(value: Value | None) -> Value | None:
    """`range(n)`: n; None for one that has a start of its own."""
    return _only(value, "range")


def element_of(value: Value | None) -> Value | None:
    """What a loop takes from a range, or from the groups of an optimizer: that over which the loop goes."""
    return _first(value, "element")


def element_place(value: Value | None) -> Location | None:
    """Where a loop or a comprehension takes an element of which nothing else is known."""
    origin = value.origin if isinstance(value, Unknown) else None
    if not isinstance(origin, tuple) or isinstance(origin, Location):
        return None
    place, *words = cast("tuple[object, ...]", origin)
    return place if words == ["element"] and isinstance(place, Location) else None


def loop_counter(value: Value | None) -> Value | None:
    """The number that a loop over a range counts, as it is in its body: the range."""
    source = element_of(value)
    return source if range_of(source) is not None else None


# --- sequences --------------------------------------------------------------------------------------------------------


def length_of(value: Value | None) -> Value | None:
    """`len(x)`: x."""
    return _first(value, "len")


def index_of(value: Value | None) -> Pair | None:
    """`container[key]`: the container and the key."""
    return _pair(value, "index")


def container_of(value: Value | None) -> Value | None:
    """`x[a][b]`: x; what no key is taken of is given back as it is."""
    while (taken := index_of(value)) is not None:
        value = taken[0]
    return value


def list_of(value: Value | None) -> Value | None:
    """`list(x)`: x."""
    return _first(value, "list")


def listed(value: Value | None) -> Value | None:
    """`list(x)` and `tuple(x)`: x."""
    return _first(value, "list", "tuple")


def set_of(value: Value | None) -> Value | None:
    """`set(x)`: x."""
    return _first(value, "set")


def each_of(value: Value | None) -> Value | None:
    """`[f(y) for y in x]`: x."""
    return _first(value, "each")


def comprehended(value: Value | None) -> Value | None:
    """`[f(y) for y in x]`, with conditions or without: x."""
    return _first(value, "each", "filtered")


def enumerated(value: Value | None) -> Value | None:
    """`enumerate(x)`: x."""
    return _first(value, "enumerate")


def as_long_as(value: Value | None) -> Value | None:
    """A copy of x, sorted, shuffled, enumerated, or with something made of each element: x, which is as long."""
    return _first(value, "list", "tuple", "each", "enumerate", "sorted", "shuffled", "reversed")


def changed(value: Value | None) -> Value | None:
    """What was there before the program changed some of it: `x.append(a)`, `del x[0]`."""
    return _first(value, "changed")


def elements_of(value: Value | None) -> Value | None:
    """The elements that `held.extend(x)` has put into a list: x."""
    return _first(value, "elements")


# --- texts and paths --------------------------------------------------------------------------------------------------


def text_pieces(value: Value | None) -> tuple[Value, ...] | None:
    """A text that is put together, such as an f-string: its pieces."""
    return _operands(value, "text")


def path_parts(value: Value | None) -> tuple[Value, ...] | None:
    """`folder / name` and `os.path.join(folder, ..., name)`: the folder first, the name last."""
    if (divided := quotient(value)) is not None:
        return divided
    joined = _pair(value, "derived")
    if joined is None or not isinstance(joined[1], Items) or not joined[1].items:
        return None
    return (joined[0], *joined[1].items)


# ----------------------------------------------------------------------------------------------------------------------


def _operands(value: Value | None, *operators: str) -> tuple[Value, ...] | None:
    return value.operands if isinstance(value, Apply) and value.operator in operators else None


def _pair(value: Value | None, *operators: str) -> Pair | None:
    found = _operands(value, *operators)
    return (found[0], found[1]) if found is not None and len(found) == 2 else None


def _first(value: Value | None, *operators: str) -> Value | None:
    found = _operands(value, *operators)
    return found[0] if found else None


def _only(value: Value | None, operator: str) -> Value | None:
    found = _operands(value, operator)
    return found[0] if found is not None and len(found) == 1 else None
