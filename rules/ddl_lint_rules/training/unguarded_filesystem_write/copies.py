"""Tells which files the first process of each node writes for the processes of its node, such as a cache."""

from __future__ import annotations

from ddl_lint.rulekit import (
    NONE,
    RANK_TAGS,
    Apply,
    Const,
    Context,
    Event,
    Items,
    RunView,
    Value,
    always,
    branches,
    in_handler,
    is_constant,
    job,
    match,
    passes,
    rank_guards,
    tags_of,
)
from ddl_lint.rulekit.events import Collective, Load, WriteFile


def is_read_by_all(run: RunView, write: Event) -> bool:
    """Whether each rank reads what is written after a barrier: on the disk of a node it must be there, and on one disk
    for all nodes the same is written twice, before anybody reads.
    """
    if tags_of(write.operands.get("object", NONE)) & RANK_TAGS:
        return False
    paths = [each.operands.get("path", NONE) for each in run.events(write.kind) if each.location == write.location]
    return any(
        read.order > write.order
        and _reads(read)
        and any(_is_alike(path, read.operands.get("path", NONE)) for path in paths)
        and not in_handler(read)
        and _is_reached_by_all(read)
        and _asked_around(read) <= set(write.context.chain())
        and any(write.order < barrier.order < read.order for barrier in _barriers(run))
        for read in run.events(Load, WriteFile)
    )


def _reads(event: Event) -> bool:
    mode = event.operands.get("mode", NONE)
    return event.kind == "load" or always(mode, lambda each: isinstance(each, Const) and "r" in str(each.value))


def _barriers(run: RunView) -> list[Collective]:
    barriers = [each for each in run.events(Collective) if is_constant(each.operation, "barrier")]
    return [each for each in barriers if _is_reached_by_all(each)]


def _is_reached_by_all(event: Event) -> bool:
    return all(passes(event, process) for process in job(2, 2))


def _asked_around(event: Event) -> set[Context]:
    """The conditions under which an event happens, whatever the rank is."""
    return set(branches(event.context)).difference(rank_guards(event.context))


def _is_alike(written: Value, read: Value) -> bool:
    """Whether one of the files that a loop writes is the one that is read."""
    if written == read:
        return written != NONE
    if match.loop_counter(written) is not None:
        return True
    if isinstance(written, Apply) and isinstance(read, Apply):
        return written.operator == read.operator and _are_alike(written.operands, read.operands)
    return isinstance(written, Items) and isinstance(read, Items) and _are_alike(written.items, read.items)


def _are_alike(written: tuple[Value, ...], read: tuple[Value, ...]) -> bool:
    return len(written) == len(read) and all(map(_is_alike, written, read))
