"""Finds barriers of NCCL in which all ranks wait, within its default timeout, for one that processes a data set."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    RunView,
    contradicts,
    in_handler,
    is_absent,
    is_kept_out,
    is_rank_guarded,
    job,
    objects,
    rank_guards,
)
from ddl_lint.rulekit.events import Collective, InitProcessGroup, ProcessDataset

_JOB = job(2, 2)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per barrier."""
    groups = list(run.events(InitProcessGroup))
    if not groups or not all(map(_is_impatient, groups)):
        return
    seen: set[Location] = set()
    for work in run.events(ProcessDataset):
        if in_handler(work) or not _is_of_one(work) or not _is_whole(work) or groups[0].order > work.order:
            continue
        barrier = _next_meeting(run, work)
        if barrier is not None and barrier.location not in seen:
            seen.add(barrier.location)
            yield Finding(
                "the other ranks wait here while one processes a data set; after 10 minutes NCCL ends the job",
                barrier.location,
                (
                    Evidence("the data set is processed here, by some ranks only", work.location),
                    Evidence("this group has the default timeout", groups[0].location),
                ),
            )


def _is_impatient(group: InitProcessGroup) -> bool:
    """Whether a group is of NCCL and has its default timeout."""
    backend = group.backend
    is_nccl = isinstance(backend, Const) and isinstance(backend.value, str) and "nccl" in backend.value
    return is_nccl and is_absent(group, "timeout")


def _is_of_one(work: Event) -> bool:
    """Whether some ranks may work, and others surely do not."""
    kept_out = {is_kept_out(work, process) for process in _JOB}
    return is_rank_guarded(work) and kept_out == {True, False}


def _is_whole(work: ProcessDataset) -> bool:
    """Whether samples are computed at once, and not when they are read."""
    data = objects(work.data)
    return bool(data) and all(each.kind == "dataset" and not each.traits.get("iterable") for each in data)


def _next_meeting(run: RunView, work: Event) -> Collective | None:
    """The barrier at which all ranks come together next after some work; None where they meet at something else."""
    for event in run.events(Collective):
        if event.order < work.order or contradicts(event.context, work.context):
            continue
        is_barrier = event.operation == Const("barrier") and is_absent(event, "group") and is_absent(event, "timeout")
        return event if is_barrier and not rank_guards(event.context) and not in_handler(event) else None
    return None
