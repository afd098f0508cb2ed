"""Finds keys of DeepSpeed that were renamed or removed."""

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
    nodes,
    removing,
    replacing,
    tree,
    written_configs,
)


def publish(run: RunView) -> Iterable[WrittenConfig]:
    """The configurations that a program writes itself."""
    return written_configs(run)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per key."""
    known = facts("deepspeed")
    for config in engine_configs(project):
        versions = project.versions_of(config.file.path)
        for member in config.root.members:
            removed = known["removed_in"].get(member.name)
            if removed is not None and versions.surely_from("deepspeed", removed):
                yield Finding(
                    f"DeepSpeed {removed} removed `{member.name}`",
                    config.place(member.key),
                    help="Remove the key, or pin an older DeepSpeed.",
                )
        block = config.get("zero_optimization")
        if isinstance(block, nodes.Mapping):
            yield from _renamed(config, block, known["renamed_zero"])
        elif isinstance(block, nodes.Scalar) and block.value is True:
            place = config.place(block)
            fix = replacing("Write the stage", place, '{"stage": 1}')
            message = Claim("`zero_optimization: true` is now a mapping with `stage`", "deprecated")
            yield Finding(message, place, severity=Severity.INFO, fix=fix, help="Write a mapping with the stage, 1.")


def _renamed(config: EngineConfig, block: nodes.Mapping, renamed: dict[str, str]) -> Iterable[Finding]:
    for member in block.members:
        new = renamed.get(member.name or "")
        if new is None:
            continue
        other = tree.member(block, new)
        if other is not None:
            evidence = (Evidence("the new key", config.place(other.key)),)
            message = f"`{member.name}` conflicts with `{new}`, which replaces it"
            fix = removing(f"Remove `{member.name}`", config.file, member, unsafe=f"`{new}` may say something else")
            yield Finding(
                message,
                config.place(member.key),
                evidence,
                fix=fix,
                unfixable="" if fix else "it is written in a form that cannot be edited",
                help=f"Remove `{member.name}`.",
            )
            continue
        fix = None
        value = member.value
        if new.startswith("stage3"):
            fix = replacing(f"Write `{new}`", config.place(member.key), f'"{new}"')
        elif isinstance(value, nodes.Scalar) and value.value is True:
            fix = replacing(f"Write `{new}`", config.place(member), f'"{new}": {{"device": "cpu"}}')
        elif isinstance(value, nodes.Scalar) and value.value is False:
            fix = removing(f"Remove `{member.name}`, which is off", config.file, member)
        message = Claim(f"`{member.name}` is now `{new}`", "deprecated")  # which DeepSpeed makes of it
        yield Finding(
            message,
            config.place(member.key),
            severity=Severity.INFO,
            fix=fix,
            unfixable="" if fix else "cannot tell what is meant",
            help=f"Write `{new}` instead.",
        )
