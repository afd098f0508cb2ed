"""Truths that are chosen for conditions which nothing decides."""

from __future__ import annotations

from collections.abc import Mapping

from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.program.values import Value


class Chosen:
    """Gives conditions the truths that were chosen for them, and one truth to all others; `by_rank` only to those of
    them that depend on the rank.
    """

    def __init__(self, truths: Mapping[Value, bool], otherwise: bool | None = None, *, by_rank: bool = False) -> None:
        self.truths = truths
        self.otherwise = otherwise, by_rank
        """What tells apart choices in which the same truths were chosen."""

    def __call__(self, condition: Value) -> bool | None:
        known = self.truths.get(condition)
        if known is not None:
            return known
        otherwise, by_rank = self.otherwise
        return None if by_rank and not tags_of(condition) & RANK_TAGS else otherwise
