"""Tells which files the first process of each node writes for the processes of its node, such as a cache."""

from __future__ import annotations

from ddl_lint.rulekit import (
    NONE,
    RANK_TAGS,
    Context,
    Event,
    RunView,
    branches,
    in_handler,
    is_constant,
    rank_guards,
    tags_of,
)
from ddl_lint.rulekit.domain import FileUse, Path
from ddl_lint.rulekit.events import Collective, Load, WriteFile


def is_read_by_all(run: RunView, write: Event) -> bool:
    """Whether each rank reads what is written after a barrier: on the disk of a node it must be there, and on one disk
    for all nodes the same is written twice, before anybody reads.
    """
    if tags_of(write.operands.get("object", NONE)) & RANK_TAGS:
        return False
    paths = [Path(each.operands.get("path")) for each in run.events(write.kind) if each.location == write.location]
    return any(
        read.order > write.order
        and FileUse(read).reads
        and any(path.may_be(Path(read.path)) for path in paths)
        and not in_handler(read)
        and FileUse(read).is_by_every_rank
        and _asked_around(read) <= set(write.context.chain())
        and any(write.order < barrier.order < read.order for barrier in _barriers(run))
        for read in run.events(Load, WriteFile)
    )


def _barriers(run: RunView) -> list[Collective]:
    barriers = [each for each in run.events(Collective) if is_constant(each.operation, "barrier")]
    return [each for each in barriers if FileUse(each).is_by_every_rank]


def _asked_around(event: Event) -> set[Context]:
    """The conditions under which an event happens, whatever the rank is."""
    return set(branches(event.context)).difference(rank_guards(event.context))
