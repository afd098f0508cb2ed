"""Which calls of a program a collective may be that a log names in the words of a backend."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from ddl_lint.diagnose.patterns import KNOWLEDGE
from ddl_lint.jobs.known import read_data

Fit: TypeAlias = Literal["well", "maybe", "no"]

_SMALL = 8
"""Elements that a barrier, the size of an object or a metric has at most."""

_JOINTS = re.compile(r"[^a-z0-9]")


@dataclass(frozen=True, slots=True)
class Operation:
    """A collective of a backend, and the calls that may lead to it."""

    names: frozenset[str]
    calls: Sequence[str]
    small: Sequence[str]
    large: Sequence[str]


@cache
def _operations() -> dict[str, Operation]:
    found: dict[str, Operation] = {}
    for each in read_data(KNOWLEDGE / "operations.yaml"):
        operation = Operation(frozenset(each["names"]), each["calls"], each.get("small", ()), each.get("large", ()))
        found.update(dict.fromkeys(operation.names, operation))
    return found


def fits(op: str, numel: int | None, *calls: str) -> Fit:
    """Whether a call, by the names that it has in a trace, may be the collective of a log."""
    operation = _operations().get(plain(op))
    if operation is None:
        return "well" if plain(op) in {plain(call) for call in calls} else "maybe"
    if not any(call in operation.calls for call in calls):
        return "well" if plain(op) in {plain(call) for call in calls} else "no"
    expected = () if numel is None else operation.small if numel <= _SMALL else operation.large
    return "well" if not expected or any(call in expected for call in calls) else "maybe"


def is_usual(op: str, numel: int | None, *calls: str) -> bool:
    """Whether a call is the one that sends so much as a rule: the gradients of a model, one number."""
    operation = _operations().get(plain(op))
    if operation is None or numel is None:
        return False
    expected = operation.small if numel <= _SMALL else operation.large
    return bool(expected) and expected[0] in calls


def plain(op: str) -> str:
    """A name without what backends and frameworks put around it: `_ALLGATHER_BASE`, `nccl:all_gather`."""
    return _JOINTS.sub("", op.lower().rpartition(":")[2])
