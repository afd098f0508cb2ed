"""Finds options that newer releases of Megatron refuse."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, JobsView, megatron_jobs, replacing

_RENAMED = {
    "model_parallel_size": "--tensor-model-parallel-size",
    "batch_size": "--micro-batch-size",
    "checkpoint_activations": "--recompute-activations",
    "warmup": "--lr-warmup-fraction",
    "tensor_parallel_size": "--tensor-model-parallel-size",
    "pipeline_parallel_size": "--pipeline-model-parallel-size",
}


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per option."""
    for job in megatron_jobs(around):
        if any("/megatron/" in script for script in around.jobs.scripts):
            continue  # a copy of its own, of whatever age
        for name, new in _RENAMED.items():
            place = job.keys.get(name)
            if place is not None:
                spelled = name.replace("_", "-")
                fix = replacing(f"Write `{new}`", place, new)
                yield Finding(
                    f"Crash: Megatron has removed `--{spelled}`; it is now `{new}`",
                    place,
                    fix=fix,
                    help=f"Write `{new}`.",
                )
