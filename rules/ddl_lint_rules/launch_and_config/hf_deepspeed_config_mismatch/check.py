"""Finds options of a trainer that contradict its configuration of DeepSpeed."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    EngineConfig,
    Evidence,
    Finding,
    JobsView,
    Launch,
    RunView,
    engine_configs,
    literal,
    replacing,
    script_options,
)

_PAIRS = (
    ("per_device_train_batch_size", ("train_micro_batch_size_per_gpu",)),
    ("gradient_accumulation_steps", ("gradient_accumulation_steps",)),
    ("max_grad_norm", ("gradient_clipping",)),
    ("learning_rate", ("optimizer", "params", "lr")),
    ("weight_decay", ("optimizer", "params", "weight_decay")),
    ("adam_epsilon", ("optimizer", "params", "eps")),
    ("learning_rate", ("scheduler", "params", "warmup_max_lr")),
    ("warmup_steps", ("scheduler", "params", "warmup_num_steps")),
)


def publish(run: RunView) -> Iterable[object]:
    """The frameworks that train in a script."""
    if run.is_launched:
        yield tuple(sorted({run.api.framework(event.api) for event in run.events("delegate", "fit")}))


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per value of the configuration."""
    for config in engine_configs(around):
        for launch in config.launches:
            facts = around.facts(launch)
            if (
                launch.script is None
                or not facts
                or not all("transformers" in fact for fact in facts if isinstance(fact, tuple))
            ):
                continue
            yield from _judged(config, launch)


def _judged(config: EngineConfig, launch: Launch) -> Iterable[Finding]:
    options = script_options(launch)
    if "deepspeed" not in options:
        return
    for name, way in _PAIRS:
        word, node = options.get(name), config.get(*way)
        given, written = _number(word.value if word is not None else None), literal(node)
        if word is None or node is None or given is None or written is None or abs(given - written) < 1e-12:
            continue
        key = ".".join(way)
        message = f"`{key}` is {written:g}, but the launch line says `--{name} {word.value}`"
        fix = replacing('Write "auto"', config.place(node), '"auto"')
        yield Finding(message, config.place(node), (Evidence("the option", word.location),), fix=fix)


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None
