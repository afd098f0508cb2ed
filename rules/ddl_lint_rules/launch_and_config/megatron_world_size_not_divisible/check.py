"""Finds model-parallel sizes that do not divide the world."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, MegatronJob, megatron_jobs


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per launch, at a parallel size."""
    for job in megatron_jobs(around):
        size, world = job.model_parallel, job.launch.world_size
        if size is not None and world is not None and world % size:
            shown = " * ".join(str(number) for number in job.parallel if number != 1)
            place = job.place("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
            message = f"Crash: {world} processes are not a multiple of {shown} = {size} (tensor, pipeline, context)"
            yield Finding(message, place, (Evidence(f"{world} processes", job.launch.location),))
            continue
        yield from _experts(job)


def _experts(job: MegatronJob) -> Iterable[Finding]:
    experts, parallel = job.number("num_experts"), job.number("expert_model_parallel_size")
    if parallel is None or parallel < 2 or "use_checkpoint_args" in job.options:
        return
    place = job.place("expert_model_parallel_size")
    if experts is not None and experts % parallel:
        yield Finding(
            f"Crash: {experts} experts cannot be divided among {parallel} ranks",
            place,
            help=f"Use a number of experts that {parallel} divides.",
        )
    elif "num_experts" not in job.options and not job.is_open:
        yield Finding(
            f"Crash: {parallel} expert-parallel ranks, but no `--num-experts`", place, help="Add `--num-experts`."
        )
