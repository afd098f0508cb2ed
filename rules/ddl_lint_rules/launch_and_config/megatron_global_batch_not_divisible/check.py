"""Finds global batches that are no multiple of the micro batches of all replicas."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, Fix, JobsView, MegatronJob, megatron_jobs, replacing

_CHANGES = ("rampup_batch_size", "step_batch_size_schedule", "decrease_batch_size_if_needed")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the global batch."""
    for job in megatron_jobs(project):
        total, micro = job.number("global_batch_size"), job.number("micro_batch_size")
        if total is None or not micro or any(name in job.options for name in _CHANGES):
            continue
        world, size = job.world_size, job.model_parallel
        replicas = world // size if world is not None and size and world % size == 0 else None
        place = job.place("global_batch_size")
        evidence = (Evidence("the micro-batch size", job.place("micro_batch_size")),)
        if total % micro:
            message = f"a global batch of {total} is not a multiple of the micro-batch size {micro}"
            yield Finding(message, place, evidence, fix=_multiple(project, job, total, micro * (replicas or 1)))
        elif replicas is not None and total % (micro * replicas):
            message = (
                f"a global batch of {total} is not a multiple of {micro} on each of {replicas} data-parallel ranks"
            )
            yield Finding(message, place, evidence, fix=_multiple(project, job, total, micro * replicas))


def _multiple(project: JobsView, job: MegatronJob, total: int, step: int) -> Fix | None:
    """The nearest multiple in the place of a number that is written as such."""
    word = job.options.get("global_batch_size")
    file = project.jobs.files.get(word.location.path) if word is not None else None
    if word is None or file is None or file.text[word.location.start : word.location.end] != str(total):
        return None
    nearest = max((total + step // 2) // step, 1) * step
    return replacing(f"Use {nearest}", word.location, str(nearest), "another batch size trains differently")
