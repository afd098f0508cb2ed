"""Finds layers, heads and sequences that parallel sizes do not divide."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, MegatronJob, facts, megatron_jobs


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch and number."""
    for job in megatron_jobs(project):
        if "use_checkpoint_args" not in job.options:
            yield from _judged(job)


def _judged(job: MegatronJob) -> Iterable[Finding]:
    tensor, pipeline, context = job.parallel
    layers, heads, hidden = (job.number(name) for name in ("num_layers", "num_attention_heads", "hidden_size"))
    groups, sequence = job.number("num_query_groups"), job.number("seq_length")
    if layers is not None and pipeline is not None and not _may_be_uneven(job):
        virtual = job.number("num_layers_per_virtual_pipeline_stage")
        if layers % pipeline:
            yield _finding(job, "num_layers", f"{layers} layers cannot be divided among {pipeline} pipeline stages")
        elif virtual and (layers // pipeline) % virtual:
            text = f"{layers // pipeline} layers per stage cannot be divided into virtual stages of {virtual}"
            yield _finding(job, "num_layers_per_virtual_pipeline_stage", text)
    if heads is not None and tensor is not None and heads % tensor:
        yield _finding(
            job, "num_attention_heads", f"{heads} attention heads cannot be divided among {tensor} tensor ranks"
        )
    if groups and tensor is not None and "group_query_attention" in job.options and groups % tensor and tensor % groups:
        yield _finding(
            job,
            "num_query_groups",
            f"{groups} query groups are neither a multiple nor a divisor of {tensor} tensor ranks",
        )
    if hidden is not None and heads and hidden % heads and "kv_channels" not in job.options:
        yield _finding(job, "hidden_size", f"a hidden size of {hidden} cannot be divided among {heads} heads")
    if sequence is not None and context is not None and context > 1 and sequence % (2 * context):
        yield _finding(job, "seq_length", f"{sequence} tokens are not a multiple of 2 * {context} context ranks")
    elif sequence is not None and tensor is not None and "sequence_parallel" in job.options:
        share = sequence // (context or 1)
        if share % tensor:
            yield _finding(job, "seq_length", f"{share} tokens cannot be divided among {tensor} tensor ranks")
    positions = job.number("max_position_embeddings")
    if positions is not None and sequence is not None and positions < sequence:
        yield _finding(job, "max_position_embeddings", f"{positions} positions are fewer than {sequence} tokens")


def _may_be_uneven(job: MegatronJob) -> bool:
    """Whether an option may give the stages of the pipeline different numbers of layers."""
    known = facts("megatron")
    others = (name for name in job.options if "pipeline" in name and name not in known["pipeline_options"])
    return any(name in job.options for name in known["uneven_stages"]) or any(others)


def _finding(job: MegatronJob, option: str, text: str) -> Finding:
    others = [word for name, word in job.options.items() if name.endswith("parallel_size") and word is not None]
    evidence = tuple(Evidence("a parallel size", word.location) for word in others[:2])
    return Finding(f"{text}", job.place(option), evidence)
