"""Finds options of Megatron that exclude or require each other."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, MegatronJob, megatron_jobs

_EXCLUDE = (
    ("fp16", "bf16"),
    ("train_iters", "train_samples"),
    ("lr_warmup_fraction", "lr_warmup_iters"),
    ("mock_data", "data_path"),
    ("use_torch_fsdp2", "fp16"),
    ("use_torch_fsdp2", "use_distributed_optimizer"),
    ("fp8_format", "fp4_format"),
)
_REQUIRE = (
    ("overlap_param_gather", ("overlap_grad_reduce",)),
    ("overlap_param_gather", ("use_distributed_optimizer", "use_megatron_fsdp")),
    ("tp_comm_overlap", ("sequence_parallel",)),
    ("save", ("save_interval",)),
)


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per pair of options."""
    for job in megatron_jobs(around):
        for one, other in _EXCLUDE:
            if one in job.options and other in job.options:
                message = f"Crash: `{_spelled(one)}` and `{_spelled(other)}` are mutually exclusive"
                yield Finding(
                    message,
                    job.place(other),
                    (Evidence("the other option", job.place(one)),),
                    help="Remove one of the two.",
                )
        if job.is_open:
            continue
        for one, others in _REQUIRE:
            if one in job.options and not any(other in job.options for other in others):
                yield Finding(
                    f"Crash: `{_spelled(one)}` needs `{_spelled(others[0])}`",
                    job.place(one),
                    help=f"Add `{_spelled(others[0])}`.",
                )
        yield from _values(job)


def _values(job: MegatronJob) -> Iterable[Finding]:
    recompute = job.text("recompute_granularity")
    if recompute == "full" and "recompute_method" not in job.options:
        yield Finding(
            "Crash: full recomputation needs `--recompute-method`",
            job.place("recompute_granularity"),
            help="Add `--recompute-method uniform` or `block`.",
        )
    elif recompute == "full" and "recompute_num_layers" not in job.options:
        yield Finding(
            "Crash: full recomputation needs `--recompute-num-layers`",
            job.place("recompute_granularity"),
            help="Add `--recompute-num-layers`.",
        )
    elif recompute == "selective" and "recompute_method" in job.options:
        yield Finding(
            "Crash: selective recomputation does not accept `--recompute-method`",
            job.place("recompute_method"),
            help="Remove `--recompute-method`.",
        )
    least, rate = job.real("min_lr"), job.real("lr")
    if least is not None and rate is not None and least > rate:
        yield Finding(
            f"Crash: `--min-lr` {least:g} is larger than `--lr` {rate:g}",
            job.place("min_lr"),
            help="Let `--min-lr` be at most `--lr`.",
        )
    _, pipeline, _ = job.parallel
    if "num_layers_per_virtual_pipeline_stage" in job.options and pipeline == 1:
        message = "Crash: virtual pipeline stages need more than one pipeline stage"
        yield Finding(
            message,
            job.place("num_layers_per_virtual_pipeline_stage"),
            help="Raise `--pipeline-model-parallel-size`, or remove the virtual stages.",
        )


def _spelled(name: str) -> str:
    return "--" + name.replace("_", "-")
