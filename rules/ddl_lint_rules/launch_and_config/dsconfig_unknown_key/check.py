"""Finds keys that DeepSpeed does not know, or knows in another block."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Claim,
    EngineConfig,
    Finding,
    JobsView,
    RunView,
    Severity,
    WrittenConfig,
    engine_configs,
    facts,
    misspelt,
    moving,
    nodes,
    replacing,
    tree,
    written_configs,
)

_NOW_IN_USE = "training then runs with a setting that had no effect so far"


def publish(run: RunView) -> Iterable[WrittenConfig]:
    """The configurations that a program writes itself."""
    return written_configs(run)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per key."""
    for config in engine_configs(project):
        if any(_is_of_others(member.name or "") for member in config.root.members):
            continue
        yield from _top(config)
        for block in facts("deepspeed")["strict_blocks"]:
            value = config.get(*block.split("."))
            if isinstance(value, nodes.Mapping):
                since = facts("deepspeed")["strict_since"].get(block, "0")
                versions = project.versions_of(config.file.path)
                is_strict = not (
                    versions.surely_before("deepspeed", since) or versions.documented_before("deepspeed", since)
                )
                yield from _block(config, value, block, is_strict=is_strict)
        for block in facts("deepspeed")["loose_blocks"]:
            value = config.get(block)
            if isinstance(value, nodes.Mapping):
                yield from _block(config, value, block, is_strict=False)


def _is_of_others(name: str) -> bool:
    """Whether a key at the top is one of a program that reads the file before DeepSpeed: a model's shape, say."""
    return "-" in name or name in ("hidden_size", "num_layers", "pipe_parallel_size", "model_parallel_size")


def _top(config: EngineConfig) -> Iterable[Finding]:
    known = facts("deepspeed")
    blocks = [name for name in known["strict_blocks"] if "." not in name]
    names = [*known["top_level"], *blocks, *known["loose_blocks"]]
    for member in config.root.members:
        name = member.name or ""
        if name in names or name.startswith(("_", "comment")):
            continue
        meant = misspelt(name, names)
        home = next(
            (block for block in blocks if name in known["strict_blocks"][block] and name.startswith("stage3")), ""
        )
        if meant:
            place = config.place(member.key)
            fix = replacing(f"Write `{meant}`", place, f'"{meant}"')
            message = Claim(f"DeepSpeed ignores `{name}`; did you mean `{meant}`?", "wrong-result")
            yield Finding(message, place, severity=Severity.WARNING, fix=fix, help=f"Write `{meant}`.")
        elif home:
            message = Claim(f"DeepSpeed ignores `{name}` outside of `{home}`", "wrong-result")
            block, fix = config.get(home), None
            if isinstance(block, nodes.Mapping) and not block.named(name):
                fix = moving(f"Move it into `{home}`", config.file, member, block, _NOW_IN_USE)
            yield Finding(
                message,
                config.place(member.key),
                severity=Severity.WARNING,
                fix=fix,
                unfixable="" if fix else f"there is no place for it in `{home}`",
                help=f"Move it into `{home}`.",
            )


def _block(config: EngineConfig, value: nodes.Mapping, block: str, *, is_strict: bool) -> Iterable[Finding]:
    known = facts("deepspeed")
    if block in known["strict_blocks"]:
        names = [
            *known["strict_blocks"][block],
            *known["also"].get(block, ()),
            *known["removed_zero"],
            *known["renamed_zero"],
        ]
    else:
        names = known["loose_blocks"][block]
    for member in tree.members(value):
        name = member.name or ""
        of_fp16 = block == "bf16" and name in known["strict_blocks"]["fp16"]  # another rule reports it
        if name in names or name.startswith(("_", "comment")) or of_fp16:
            continue
        meant = misspelt(name, names)
        if not meant and not is_strict:
            continue
        place = config.place(member.key)
        home = " at the top level" if name in known["top_level"] or name in known["loose_blocks"] else ""
        fix = replacing(f"Write `{meant}`", place, f'"{meant}"') if meant else None
        hint = f"; did you mean `{meant}`?" if meant else f"; it belongs{home}" if home else ""
        consequence = "crash" if is_strict else "wrong-result"
        yield Finding(
            f"`{block}` has no `{name}`{hint}",
            place,
            severity=None if is_strict else Severity.WARNING,
            fix=fix,
            unfixable="" if fix else "cannot tell what is meant",
            help=f"Write `{meant}`." if meant else "Remove the key, or move it to where DeepSpeed reads it.",
            consequence=consequence,
        )
