"""Variables of an environment that contradict each other, or the machine."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ddl_lint.doctor.knowledge import knowledge
from ddl_lint.finding import Severity

_OPERATORS: Mapping[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Variables that do not go together."""

    name: str
    variable: str
    """The one to change."""

    severity: Severity
    message: str
    help: str


def contradictions(values: Mapping[str, str]) -> Iterator[Contradiction]:
    """All that these variables hold."""
    for each in knowledge()["contradictions"]:
        is_so = all(_holds(comparison, values) for comparison in each["if"])
        if is_so and any(_holds(comparison, values) for comparison in each.get("any", (None,))):
            message = each["message"].format_map(values)
            yield Contradiction(each["name"], each["at"], Severity(each["severity"]), message, each["help"])


def _holds(comparison: Sequence[Any] | None, values: Mapping[str, str]) -> bool:
    if comparison is None:
        return True
    left, how, *rest = comparison
    if how in ("set", "unset"):
        return (left in values) is (how == "set")
    if how == "is":
        known = values.get(left)
        return known is not None and re.fullmatch(knowledge()["words"][rest[0]], known.strip()) is not None
    one, other = _number(left, values), _number(rest[0], values)
    return one is not None and other is not None and _OPERATORS[how](one, other)


def _number(side: str | int, values: Mapping[str, str]) -> int | None:
    if isinstance(side, int):
        return side
    what, _, name = side.rpartition(" ")
    written = values.get(name)
    if written is None:
        return None
    if what == "count":
        return _devices(written)
    written = written.strip()
    return int(written) if written.isascii() and written.isdigit() and len(written) < 12 else None


def _devices(written: str) -> int | None:
    """How many devices a list names: those before the first that is none; None for one that names no devices."""
    if not written.strip() or written.strip().lower() == "nodevfiles":
        return 0
    count = 0
    for each in written.split(","):
        if each.strip().startswith("-"):
            break
        if re.fullmatch(r"\d+|(?:GPU|MIG)-[\w/-]+", each.strip()) is None:
            return None
        count += 1
    return count
