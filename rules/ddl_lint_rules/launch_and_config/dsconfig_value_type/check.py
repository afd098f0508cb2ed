"""Finds values of the wrong type in configurations of DeepSpeed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import (
    EngineConfig,
    Finding,
    JobsView,
    RunView,
    WrittenConfig,
    engine_configs,
    nodes,
    replacing,
    tree,
    written_configs,
)

_NUMBERS = (
    "train_batch_size",
    "train_micro_batch_size_per_gpu",
    "gradient_accumulation_steps",
    "gradient_clipping",
    "steps_per_print",
)
_BLOCKS = ("zero_optimization", "fp16", "bf16", "optimizer", "scheduler")
_INTEGERS = (
    "reduce_bucket_size",
    "allgather_bucket_size",
    "stage3_prefetch_bucket_size",
    "sub_group_size",
    "stage3_param_persistence_threshold",
    "stage3_max_live_parameters",
    "stage3_max_reuse_distance",
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def publish(run: RunView) -> Iterable[WrittenConfig]:
    """The configurations that a program writes itself."""
    return written_configs(run)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per value."""
    for config in engine_configs(project):
        yield from _judged(config)


def _judged(config: EngineConfig) -> Iterable[Finding]:
    quoted = [(name, config.get(name)) for name in _NUMBERS]
    for block in ("optimizer", "scheduler"):
        quoted += [(member.name or "", member.value) for member in tree.members(config.get(block, "params"))]
    for name, node in quoted:
        if isinstance(node, nodes.Scalar) and isinstance(node.value, str) and _NUMBER.fullmatch(node.text):
            fix = replacing("Remove the quotes", config.place(node), node.text)
            yield Finding(
                f"`{name}` is a string here, but DeepSpeed compares it with numbers",
                config.place(node),
                fix=fix,
                help="Remove the quotes.",
            )
    for name in _INTEGERS:
        node = config.get("zero_optimization", name)
        is_text = isinstance(node, nodes.Scalar) and isinstance(node.value, str)
        if isinstance(node, nodes.Scalar) and is_text and _NUMBER.fullmatch(node.text) and not node.text.isdigit():
            fix = replacing("Remove the quotes", config.place(node), node.text)
            yield Finding(
                f"`{name}` is a string here, but must be a whole number",
                config.place(node),
                fix=fix,
                help="Write a whole number, without quotes.",
            )
    for name in _BLOCKS:
        node = config.get(name)
        if isinstance(node, nodes.Scalar) and node.value is not None and node.text != "auto":
            if name == "zero_optimization" and isinstance(node.value, bool):
                continue  # an old form
            yield Finding(
                f"`{name}` must be a mapping, not `{node.text}`",
                config.place(node),
                unfixable="cannot tell what is meant",
                help="Write a mapping of settings.",
            )
    kind = config.get("communication_data_type")
    text = tree.text(kind)
    if (
        kind is not None
        and isinstance(kind, nodes.Scalar)
        and text is not None
        and text.lower() not in ("fp16", "bf16", "fp32", "none", "null")
    ):
        yield Finding(
            f"`{text}` is not a `communication_data_type`; known are fp16, bf16 and fp32",
            config.place(kind),
            help="Write fp16, bf16 or fp32.",
        )
