"""Which dimension of parallelism a process group lies along."""

from __future__ import annotations

from ddl_lint.program.dimensions import DIMENSIONS
from ddl_lint.program.values import Const, Object, Value


def dimension_of(group: Value | None) -> str | None:
    """The dimension of a group, where that is known: an API gave it for this dimension."""
    held = group.given.get("dimension") if isinstance(group, Object) else group
    return held.value if isinstance(held, Const) and held.value in DIMENSIONS else None
