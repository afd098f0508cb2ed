"""Computes what a shell makes of `$((NODES * GPUS_PER_NODE))`, as far as all of it is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0|[1-9]\d{0,11})(?![\w.])|\$?(?P<name>[A-Za-z_]\w*)|\$\{(?P<braced>[A-Za-z_]\w*)\}"
    r"|\$\{(?P<defaulted>[A-Za-z_]\w*):?-(?P<default>\d{1,12})\}|(?P<sign>\*\*|[-+*/%()]))"
)
_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
_LARGEST = 10**15
_DEEPEST = 40


class _Unknown(Exception):
    """The expression cannot be computed here."""


def computed(expression: str, number_of: Callable[[str], int | None]) -> int | None:
    """The whole number that an expression of a shell is; None where that is not known, or too large to be meant.

    Args:
        expression: What is written between the parentheses.
        number_of: The number that a variable holds, if it is set to one.
    """
    try:
        reader = _Reader(list(_tokens(expression, number_of)))
        outcome = reader.sum(0, 0)
        return outcome if reader.is_at_end else None
    except _Unknown:
        return None


def _tokens(text: str, number_of: Callable[[str], int | None]) -> Iterator[int | str]:
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _Unknown
        at = found.end()
        name = found["name"] or found["braced"] or found["defaulted"]
        if found["number"]:
            yield int(found["number"])
        elif name:
            number = number_of(name)
            if number is None and found["default"]:
                number = int(found["default"])
            if number is None:
                raise _Unknown
            yield number
        else:
            yield found["sign"]


class _Reader:
    def __init__(self, tokens: list[int | str]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._tokens)

    def sum(self, weakest: int, depth: int) -> int:
        """Operands with the operators between them that bind at least so strongly."""
        left = self._power(depth)
        while not self.is_at_end:
            sign = self._tokens[self._at]
            strength = _STRENGTH.get(sign, 0) if isinstance(sign, str) else 0
            if strength <= weakest:
                break
            self._at += 1
            left = _applied(str(sign), left, self.sum(strength, depth))
        return left

    def _power(self, depth: int) -> int:
        base = self._operand(depth)
        if not self.is_at_end and self._tokens[self._at] == "**":
            self._at += 1
            exponent = self._power(depth + 1)
            if not 0 <= exponent <= 40 or abs(base) > 1024:
                raise _Unknown
            return _bounded(base**exponent)
        return base

    def _operand(self, depth: int) -> int:
        if self.is_at_end or depth > _DEEPEST:
            raise _Unknown
        token = self._tokens[self._at]
        self._at += 1
        if isinstance(token, int):
            return token
        if token in ("-", "+"):
            value = self._operand(depth + 1)
            return -value if token == "-" else value
        if token != "(":
            raise _Unknown
        value = self.sum(0, depth + 1)
        if self.is_at_end or self._tokens[self._at] != ")":
            raise _Unknown
        self._at += 1
        return value


def _applied(sign: str, left: int, right: int) -> int:
    if sign in "/%":
        if right == 0:
            raise _Unknown
        quotient = abs(left) // abs(right)  # a shell rounds towards zero
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        return quotient if sign == "/" else left - quotient * right
    return _bounded({"+": left + right, "-": left - right, "*": left * right}[sign])


def _bounded(number: int) -> int:
    if abs(number) > _LARGEST:
        raise _Unknown
    return number
