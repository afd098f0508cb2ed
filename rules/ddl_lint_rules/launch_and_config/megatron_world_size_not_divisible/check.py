"""Finds model-parallel sizes that do not divide the world."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Location,
    MegatronJob,
    RunView,
    in_process,
    is_certain,
    megatron_jobs,
    number_under_launch,
    started_processes,
)
from ddl_lint.rulekit.events import NewGroup

_FRAMEWORK = "megatron"
_SIZES = ("tensor_parallel", "pipeline_parallel", "context_parallel")


class _Groups(NamedTuple):
    """Groups that a program makes, with sizes that do not divide the number of its processes."""

    place: Location
    world: int
    shown: str
    """The sizes, as a product."""


def publish(run: RunView) -> Iterable[_Groups]:
    """Where a program makes groups whose sizes do not divide what its launches start."""
    started = started_processes(run)
    for made in run.events(NewGroup) if run.is_launched and started is not None else ():
        if run.api.framework(made.api) != _FRAMEWORK or in_process(made) is not None or not is_certain(made):
            continue
        known = [None if name in made.unseen else made.operands.get(name) for name in _SIZES]
        sizes = [number_under_launch(run, size) for size in known]
        product = 1
        for size in sizes:
            product *= size or 0
        if started is not None and product > 0 and started % product:
            yield _Groups(made.location, started, " * ".join(str(size) for size in sizes if size != 1))


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at a parallel size."""
    for job in megatron_jobs(project):
        size, world = job.model_parallel, job.world_size
        if size is not None and world is not None and world % size:
            shown = " * ".join(str(number) for number in job.parallel if number != 1)
            place = job.place("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
            message = f"{world} processes are not a multiple of {shown} = {size} (tensor, pipeline, context)"
            yield Finding(message, place, (Evidence(f"{world} processes", job.launch.location),))
            continue
        yield from _experts(job)
    for launch in project.launches:
        for place, world, shown in project.published(launch, _Groups) if launch.launcher is not None else ():
            message = f"{world} processes cannot be divided by {shown} (tensor, pipeline, context)"
            yield Finding(message, place, (Evidence(f"{world} processes", launch.location),))


def _experts(job: MegatronJob) -> Iterable[Finding]:
    experts, parallel = job.number("num_experts"), job.number("expert_model_parallel_size")
    if parallel is None or parallel < 2 or "use_checkpoint_args" in job.options:
        return
    place = job.place("expert_model_parallel_size")
    if experts is not None and experts % parallel:
        yield Finding(
            f"{experts} experts cannot be divided among {parallel} ranks",
            place,
            help=f"Use a number of experts that {parallel} divides.",
        )
    elif "num_experts" not in job.options and not job.is_open:
        yield Finding(f"{parallel} expert-parallel ranks, but no `--num-experts`", place, help="Add `--num-experts`.")
