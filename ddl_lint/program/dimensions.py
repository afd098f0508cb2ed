"""The dimensions of parallelism along which a job is divided into groups, and the place of a process in each of them.

The groups of a dimension hold ranks that differ along this dimension only.
"""

from __future__ import annotations

from typing import Final

from ddl_lint.program.tags import GROUP_RANK
from ddl_lint.program.values import Unknown

DIMENSIONS: Final = ("tensor", "sequence", "context", "expert", "data", "pipeline", "model")
"""`model` is tensor and pipeline together: the ranks that share a copy of the model."""

_RANK, _SIZE = "rank along", "size along"


def rank_along(dimension: str) -> Unknown:
    """The number of this process in its group of a dimension."""
    return Unknown((_RANK, dimension), frozenset({GROUP_RANK}))


def size_along(dimension: str) -> Unknown:
    """The number of processes in each group of a dimension."""
    return Unknown((_SIZE, dimension), frozenset())


def ranked_dimension(value: Unknown) -> str | None:
    """The dimension of which a value is the rank."""
    return _dimension(value, _RANK)


def sized_dimension(value: Unknown) -> str | None:
    """The dimension of which a value is the size."""
    return _dimension(value, _SIZE)


def _dimension(value: Unknown, asked: str) -> str | None:
    return next((name for name in DIMENSIONS if value.origin == (asked, name)), None)
