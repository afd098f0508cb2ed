"""Finds optimizers and schedulers that DeepSpeed does not know, and parameters that they do not take."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    EngineConfig,
    Evidence,
    Finding,
    JobsView,
    RunView,
    WrittenConfig,
    engine_configs,
    facts,
    is_on,
    literal,
    misspelt,
    nodes,
    replacing,
    tree,
    written_configs,
)

_ADAMS = ("adam", "adamw")
_ALSO_KNOWN = {
    "learning_rate": "lr",
    "warmup_steps": "warmup_num_steps",
    "total_steps": "total_num_steps",
    "epsilon": "eps",
    "adam_epsilon": "eps",
    "num_warmup_steps": "warmup_num_steps",
    "num_training_steps": "total_num_steps",
}


def publish(run: RunView) -> Iterable[WrittenConfig]:
    """The configurations that a program writes itself."""
    return written_configs(run)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per name."""
    for config in engine_configs(project):
        yield from _optimizer(config)
        yield from _scheduler(config)


def _optimizer(config: EngineConfig) -> Iterable[Finding]:
    known = facts("deepspeed")
    node = config.get("optimizer", "type")
    name = tree.text(node)
    if node is None or name is None or name == "auto":
        return
    if name.lower() in _ADAMS:
        yield from _parameters(config, "optimizer", name, known["adam_parameters"])
    elif name.lower() not in known["optimizers"] and name.lower() not in known["other_optimizers"]:
        meant = misspelt(name.lower(), known["optimizers"])
        if meant:
            fix = replacing(f"Write `{meant}`", config.place(node), f'"{meant}"')
            message = f"DeepSpeed has no optimizer `{name}`; did you mean `{meant}`?"
            yield Finding(message, config.place(node), fix=fix, help=f"Write `{meant}`.")
        return
    sharded = config.get("zero_optimization", "stage")
    is_sharded = (literal(sharded) or 0) >= 1
    if name.lower() in known["optimizers_without_zero"] and is_sharded and sharded is not None:
        yield Finding(
            f"DeepSpeed refuses `{name}` together with ZeRO",
            config.place(node),
            (Evidence("ZeRO is switched on here", config.place(sharded)),),
            unfixable="cannot tell which of the two is meant",
            help=f"Set `stage` to 0, or use Adam instead of `{name}`.",
        )
    if name.lower() == "sgd" and is_sharded and not is_on(config.get("zero_allow_untested_optimizer")):
        message = "ZeRO refuses SGD without `zero_allow_untested_optimizer: true`"
        yield Finding(
            message,
            config.place(node),
            unfixable="cannot tell whether that is meant",
            help="Set `zero_allow_untested_optimizer: true`, or use Adam.",
        )


def _scheduler(config: EngineConfig) -> Iterable[Finding]:
    known = facts("deepspeed")
    node = config.get("scheduler", "type")
    name = tree.text(node)
    if node is None or name is None or name == "auto":
        return
    parameters = known["schedulers"].get(name)
    if parameters is None:
        meant = misspelt(name, known["schedulers"], 3)
        if meant:
            fix = replacing(f"Write `{meant}`", config.place(node), f'"{meant}"')
            message = f"DeepSpeed has no scheduler `{name}`; did you mean `{meant}`?"
            yield Finding(message, config.place(node), fix=fix, help=f"Write `{meant}`.")
        return
    yield from _parameters(config, "scheduler", name, parameters)
    written = config.get("scheduler", "params")
    given = {member.name for member in tree.members(written)}
    if given & _ALSO_KNOWN.keys() or (written is not None and not isinstance(written, nodes.Mapping)):
        return
    for wanted in known["required_by_schedulers"].get(name, ()):
        if wanted not in given:
            message = f"`{name}` needs `{wanted}`"
            yield Finding(
                message,
                config.place(node),
                unfixable="the number of steps is not known",
                help=f"Add `{wanted}` to its parameters.",
            )


def _parameters(config: EngineConfig, block: str, name: str, known: list[str]) -> Iterable[Finding]:
    for member in tree.members(config.get(block, "params")):
        written = member.name or ""
        if written in known or written.startswith("_"):
            continue
        meant = _ALSO_KNOWN.get(written, "")
        meant = meant if meant in known else misspelt(written, known)
        place = config.place(member.key)
        hint = f"; did you mean `{meant}`?" if meant else ""
        fix = replacing(f"Write `{meant}`", place, f'"{meant}"') if meant else None
        message = f"`{name}` takes no `{written}`{hint}"
        advice = f"Write `{meant}`." if meant else "Use the names of the constructor's parameters."
        yield Finding(message, place, fix=fix, unfixable="" if fix else "cannot tell what is meant", help=advice)
