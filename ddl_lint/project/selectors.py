"""The words that stand for rules: a code, a name, the first letters of codes, or `ALL`."""

from __future__ import annotations

from collections.abc import Iterable

EXACT = 100
"""The weight of a name or a whole code: more than any prefix has."""


def weight(selector: str, code: str, name: str) -> int:
    """How narrowly a selector means a rule: 0 for `ALL`, the length of a prefix, `EXACT`; -1 when it does not."""
    if selector in (code, name):
        return EXACT
    if selector == "ALL":
        return 0
    is_prefix = selector.rstrip("0123456789").isupper()
    return len(selector) if is_prefix and code.startswith(selector) else -1


def heaviest(selectors: Iterable[str], code: str, name: str) -> int:
    """The greatest weight of several selectors; -1 when none means the rule."""
    return max((weight(selector, code, name) for selector in selectors), default=-1)
