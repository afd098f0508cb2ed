"""Finds options of Megatron that exclude or require each other."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    Fix,
    JobsView,
    MegatronJob,
    facts,
    inserting,
    is_written,
    megatron_jobs,
    option_of,
)

_PIPELINE = "pipeline_model_parallel_size"
_SMALLEST = {"recompute_method": "uniform", "recompute_num_layers": "1"}
"""What keeps least in memory."""


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per pair of options."""
    known = facts("megatron")
    for job in megatron_jobs(project):
        if job.is_fork:
            continue
        for one, other in known["exclude"]:
            if one in job.options and other in job.options:
                message = f"`{option_of(one)}` and `{option_of(other)}` are mutually exclusive"
                yield Finding(message, job.place(other), (Evidence("the other option", job.place(one)),))
        if job.is_open:
            continue
        for each in known["require"]:
            one, others = each["option"], each["needs"]
            if one in job.options and not any(other in job.options for other in others):
                fix = _adding(project, job, one, option_of(others[0])) if not each.get("takes_value") else None
                yield Finding(f"`{option_of(one)}` needs `{option_of(others[0])}`", job.place(one), fix=fix)
        yield from _values(project, job)


def _adding(project: JobsView, job: MegatronJob, beside: str, text: str, unsafe: str = "") -> Fix | None:
    """Further options before one that is on its own."""
    place = job.place(beside)
    if not is_written(project, place, beside):
        return None
    return inserting(f"Add `{text}`", place.path, place.start, f"{text} ", unsafe)


def _values(project: JobsView, job: MegatronJob) -> Iterable[Finding]:
    recompute, place = job.text("recompute_granularity"), job.place("recompute_granularity")
    missing = [name for name in ("recompute_method", "recompute_num_layers") if name not in job.options]
    if recompute == "full" and missing:
        added = " ".join(f"{option_of(name)} {_SMALLEST[name]}" for name in missing)
        fix = _adding(project, job, "recompute_granularity", added, "recomputing fewer layers at a time may be faster")
        yield Finding(f"full recomputation needs `{option_of(missing[0])}`", place, fix=fix)
    elif recompute == "selective" and "recompute_method" in job.options:
        yield Finding("selective recomputation does not accept `--recompute-method`", job.place("recompute_method"))
    tensor, pipeline, _ = job.parallel
    if "distribute_saved_activations" in job.options and (tensor == 1 or recompute in (None, "selective")):
        what = "tensor parallelism" if tensor == 1 else "`--recompute-granularity full`"
        yield Finding(f"`--distribute-saved-activations` needs {what}", job.place("distribute_saved_activations"))
    least, rate = job.real("min_lr"), job.real("lr")
    if least is not None and rate is not None and least > rate:
        yield Finding(f"`--min-lr` {least:g} is larger than `--lr` {rate:g}", job.place("min_lr"))
    if "num_layers_per_virtual_pipeline_stage" in job.options and pipeline == 1:
        message = "virtual pipeline stages need more than one pipeline stage"
        yield Finding(message, job.place("num_layers_per_virtual_pipeline_stage"))
    if "use_torch_fsdp2" in job.options and (pipeline or 1) > 1:
        message = "`--use-torch-fsdp2` and pipeline parallelism are mutually exclusive"
        yield Finding(message, job.place("use_torch_fsdp2"), (Evidence("the stages", job.place(_PIPELINE)),))
