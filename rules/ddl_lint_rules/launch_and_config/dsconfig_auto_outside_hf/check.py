"""Finds `auto` in configurations that DeepSpeed reads itself."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import EngineConfig, Evidence, Finding, JobsView, Launch, RunView, engine_configs, nodes, tree

_TOP = ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps", "gradient_clipping")


def publish(run: RunView) -> Iterable[object]:
    """The frameworks that train in a script."""
    if run.is_launched:
        kinds = ("wrap_model", "delegate", "fit", "prepare", "init_process_group")
        yield tuple(sorted({run.api.framework(event.api) for event in run.events(*kinds)}))


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per configuration, at the first such value."""
    for config in engine_configs(around):
        node = _auto(config)
        launch = next((each for each in config.launches if _is_raw(around, each)), None)
        if node is None or launch is None or not all(_is_raw(around, each) for each in config.launches):
            continue
        evidence = (Evidence("this script passes the file to DeepSpeed directly", launch.location),)
        yield Finding(
            'Crash: only Hugging Face trainers replace "auto"; DeepSpeed itself reads it as a string',
            config.place(node),
            evidence,
        )


def _auto(config: EngineConfig) -> nodes.Node | None:
    found = [config.get(name) for name in _TOP]
    for block in ("optimizer", "scheduler"):
        found += [member.value for member in tree.members(config.get(block, "params"))]
    return next((node for node in found if node is not None and tree.text(node) == "auto"), None)


def _is_raw(around: JobsView, launch: Launch) -> bool:
    """Whether the script trains with DeepSpeed, and with nothing else that could fill in values."""
    facts = around.facts(launch)
    return bool(facts) and all(fact in (("deepspeed",), ("deepspeed", "pytorch")) for fact in facts)
