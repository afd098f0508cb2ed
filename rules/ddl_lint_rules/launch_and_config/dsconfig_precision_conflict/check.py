"""Finds precisions of DeepSpeed that exclude each other or stay off."""

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
    facts,
    inserting,
    is_on,
    removing,
    tree,
    written_configs,
)

_ONLY_FP16 = ("loss_scale", "initial_scale_power", "loss_scale_window", "hysteresis", "min_loss_scale", "auto_cast")


def publish(run: RunView) -> Iterable[WrittenConfig]:
    """The configurations that a program writes itself."""
    return written_configs(run)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per block."""
    for config in engine_configs(project):
        since = facts("deepspeed")["strict_since"]["bf16"]
        is_strict = not project.versions_of(config.file.path).surely_before("deepspeed", since)
        half, brain = (tree.member(config.root, name) for name in ("fp16", "bf16"))
        if half is not None and brain is not None and _is_on(config, "fp16") and _is_on(config, "bf16"):
            message = "`fp16` and `bf16` are both enabled, but mutually exclusive"
            yield Finding(
                message,
                config.place(brain.key),
                (Evidence("the other one", config.place(half.key)),),
                unfixable="cannot tell which of the two is meant",
                help="Keep one of them: bf16 if the GPUs support it.",
            )
            continue
        for name in ("fp16", "bf16"):
            yield from _block(config, name, is_strict=is_strict)


def _is_on(config: EngineConfig, name: str) -> bool:
    return is_on(config.get(name, "enabled"))


def _block(config: EngineConfig, name: str, *, is_strict: bool) -> Iterable[Finding]:
    found = tree.member(config.root, name)
    if found is None:
        return
    members = tree.members(found.value)
    if not members:
        return
    if name == "bf16":
        wrong = [member for member in members if member.name in _ONLY_FP16]
        if wrong and not is_strict:
            return
        if wrong:
            first, *others = wrong
            names = ", ".join(f"`{member.name}`" for member in wrong)
            title = "Remove the keys" if others else "Remove the key"
            fix = removing(title, config.file, *wrong)
            yield Finding(
                f"`bf16` has no {names}; loss scaling belongs to fp16",
                config.place(first.key),
                tuple(Evidence("this key belongs to fp16 too", config.place(member.key)) for member in others),
                fix=fix,
                unfixable="" if fix else "it is written in a form that cannot be edited",
                help=f"{title}.",
                cause=names,  # copies of one file
            )
            return
    other = "bf16" if name == "fp16" else "fp16"
    if config.get(name, "enabled") is None and not _is_on(config, other):
        first = config.place(members[0].key)
        fix = inserting(
            "Set enabled to true",
            first.path,
            first.start,
            f'"enabled": {"True" if config.is_of_program else "true"}, ',
            "training then runs in another precision",
        )
        message = Claim(f"`{name}` without `enabled` is off, so training runs in fp32", "wasted-work")
        yield Finding(
            message, config.place(found.key), severity=Severity.WARNING, fix=fix, help="Set `enabled` to true."
        )
