"""Finds global batches that are no multiple of the micro batches of all replicas."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, megatron_jobs

_CHANGES = ("rampup_batch_size", "step_batch_size_schedule", "decrease_batch_size_if_needed")


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the global batch."""
    for job in megatron_jobs(around):
        total, micro = job.number("global_batch_size"), job.number("micro_batch_size")
        if total is None or not micro or any(name in job.options for name in _CHANGES):
            continue
        world, size = job.launch.world_size, job.model_parallel
        replicas = world // size if world is not None and size and world % size == 0 else None
        place = job.place("global_batch_size")
        evidence = (Evidence("the micro-batch size", job.place("micro_batch_size")),)
        if total % micro:
            yield Finding(
                f"Crash: a global batch of {total} is not a multiple of the micro-batch size {micro}",
                place,
                evidence,
                help=f"Use a multiple of {micro}.",
            )
        elif replicas is not None and total % (micro * replicas):
            message = (
                f"Crash: a global batch of {total} is not a multiple of {micro} on each of {replicas} "
                "data-parallel ranks"
            )
            yield Finding(message, place, evidence, help=f"Use a multiple of {micro * replicas}.")
