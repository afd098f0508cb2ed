"""Finds Megatron jobs without the variable that they ask for."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, MegatronJob, inserting, megatron_jobs, texts_of_environment

_NAME = "CUDA_DEVICE_MAX_CONNECTIONS"
_TYPO = "CUDA_MAX_CONNECTIONS"
_SHARDED = ("use_torch_fsdp2", "use_megatron_fsdp", "use_custom_fsdp")
_NEWER = ("b200", "gb200", "b300", "blackwell")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the launcher."""
    for job in megatron_jobs(project):
        tensor, _, context = job.parallel
        word = job.launch.command.environment(_NAME)
        sharded = any(name in job.options for name in _SHARDED)
        step = job.launch.launcher or job.launch.step("srun")
        if step is None:
            continue
        parallel = (tensor or 1) > 1 or (context or 1) > 1
        if sharded and word is not None and word.value == "1":
            yield Finding(f"FSDP needs `{_NAME}` to be larger than 1", word.location)
        elif word is None and not sharded and parallel and not _may_be_set(project, job):
            typo = job.launch.command.environment(_TYPO)
            if typo is not None:
                yield Finding(f"Megatron requires `{_NAME}`, and nothing reads `{_TYPO}`", typo.location)
                continue
            which = "tensor" if (tensor or 1) > 1 else "context"
            message = f"Megatron requires `{_NAME}=1` for {which} parallelism"
            place = job.launch.command.location
            fix = inserting(
                "Export CUDA_DEVICE_MAX_CONNECTIONS=1",
                place.path,
                place.start,
                f"export {_NAME}=1\n",
                "Blackwell GPUs do not need it",
            )
            yield Finding(
                message,
                step.word.location,
                (Evidence("the parallel size", job.place(f"{which}_model_parallel_size", f"{which}_parallel_size")),),
                fix=fix,
                help=f"Export `{_NAME}=1` before the launch line.",
            )


def _may_be_set(project: JobsView, job: MegatronJob) -> bool:
    """Whether another place may set the variable, or the GPUs are of the kind that needs none."""
    path = job.launch.host.path
    if any(each.name == _NAME and not project.are_apart(each.file.path, path) for each in project.jobs.variables):
        return True
    if job.is_fork or project.has_module("megatron", path):
        return True  # a copy of its own, of whatever age
    text = project.jobs.launch_file(path).text.lower()
    return any(word in text for word in _NEWER) or (
        not job.is_shipped and texts_of_environment(project, job.launch, _NAME)
    )
