"""Finds settings of ZeRO that its stage ignores or refuses."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Claim,
    EngineConfig,
    Evidence,
    Finding,
    JobsView,
    RunView,
    Severity,
    WrittenConfig,
    engine_configs,
    literal,
    nodes,
    tree,
    written_configs,
)

_DEAD = "the job runs as it does without the setting"
_DEVICES = ("none", "cpu", "nvme")


def publish(run: RunView) -> Iterable[WrittenConfig]:
    """The configurations that a program writes itself."""
    return written_configs(run)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per setting."""
    for config in engine_configs(project):
        block = config.get("zero_optimization")
        if isinstance(block, nodes.Mapping) and block.members:
            yield from _judged(config, block)


def _judged(config: EngineConfig, block: nodes.Mapping) -> Iterable[Finding]:
    written = tree.member(block, "stage")
    stage = literal(written.value) if written is not None else 0
    text = tree.text(written.value) if written is not None else None
    if stage is None and text is not None and text.isdigit():
        stage = int(text)
    if stage is None:
        return
    if written is not None and stage not in (0, 1, 2, 3):
        yield Finding(
            f"ZeRO has stages 0 to 3, not {stage}",
            config.place(written.value),
            help="Set `stage` to 0, 1, 2 or 3.",
        )
        return
    evidence = (Evidence(f"stage {int(stage)}", config.place(written)),) if written is not None else ()
    if written is None:
        message = Claim("`zero_optimization` without `stage` is off, so nothing is sharded", "wasted-work")
        yield Finding(
            message, config.place(block.members[0].key), severity=Severity.WARNING, help="Add `stage`, from 1 to 3."
        )
        return
    for name in ("offload_param", "offload_optimizer"):
        yield from _offload(config, block, name, int(stage), evidence)
    reduction = tree.member(block, "gradient_allreduce_op")
    if reduction is not None and tree.text(reduction.value) == "sum" and stage == 3:
        yield Finding(
            "ZeRO stage 3 does not support summed gradients",
            config.place(reduction),
            evidence,
            help="Remove the reduction, or use a lower stage.",
        )


def _offload(
    config: EngineConfig, block: nodes.Mapping, name: str, stage: int, evidence: tuple[Evidence, ...]
) -> Iterable[Finding]:
    found = tree.member(block, name)
    device = tree.text(tree.value(found.value, "device")) if found is not None else None
    if found is None or device in (None, "auto"):
        return
    key = config.place(found.key)
    device_node = tree.value(found.value, "device")
    if device not in _DEVICES and device_node is not None:
        yield Finding(
            f"cannot offload to `{device}`; known are cpu, nvme and none",
            config.place(device_node),
            help="Use cpu, nvme or none.",
        )
    elif device == "nvme" and tree.value(found.value, "nvme_path") is None:
        yield Finding(
            "offloading to nvme needs `nvme_path`", key, help="Add `nvme_path`, a directory on the NVMe disk."
        )
    elif device == "none":
        return
    elif name == "offload_param" and stage < 3:
        message = Claim(
            f"`offload_param` has no effect in ZeRO stage {stage}; only stage 3 shards parameters", "wasted-work"
        )
        yield Finding(
            message,
            key,
            evidence,
            severity=Severity.INFO,
            doubt=_DEAD,
            help="Set `stage` to 3, or remove `offload_param`.",
        )
    elif name == "offload_optimizer" and stage == 0:
        message = Claim("`offload_optimizer` has no effect in ZeRO stage 0", "wasted-work")
        yield Finding(
            message,
            key,
            evidence,
            severity=Severity.INFO,
            doubt=_DEAD,
            help="Set `stage` to 1 or more, or remove `offload_optimizer`.",
        )
    elif name == "offload_optimizer" and stage != 3:
        ratio = literal(tree.value(found.value, "ratio"))
        if ratio is not None and ratio < 1:
            yield Finding(
                "only ZeRO stage 3 can offload a part of the optimizer",
                key,
                evidence,
                help="Set `ratio` to 1, or the stage to 3.",
            )
