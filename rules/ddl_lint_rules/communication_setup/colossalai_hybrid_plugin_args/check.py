"""Finds arguments of plugins that exclude each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Finding,
    Location,
    Object,
    RunView,
    Value,
    number_under_launch,
    objects,
    started_processes,
)

_FRAMEWORK = "colossalai"
_STAGES = (0, 1, 2)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per plugin."""
    for event in run.events("delegate"):
        for plugin in objects(event.result, "strategy") if run.api.framework(event.api) == _FRAMEWORK else ():
            found = _staged(run, plugin) if plugin.traits.get("shards_stages") else _zero(run, plugin)
            yield from list(found)[:1]


def _staged(run: RunView, plugin: Object) -> Iterator[Finding]:
    def number(name: str) -> int | None:
        return number_under_launch(run, plugin.given.get(name))

    tensor, pipeline, stage = number("tp_size"), number("pp_size"), number("zero_stage")
    if stage is not None and stage not in _STAGES:
        yield Finding(f"Crash: ZeRO has no stage {stage} here: 0, 1 or 2", _place(plugin, "zero_stage"))
    if pipeline is not None and pipeline > 1:
        if stage == 2:
            message = "Crash: zero stage must be 0 or 1 when using pipeline parallelism"
            yield Finding(message, _place(plugin, "zero_stage"))
        if not {"num_microbatches", "microbatch_size"} & plugin.given.keys() and "options" not in plugin.given:
            message = "Crash: num_microbatches or microbatch_size must be specified with a pipeline"
            yield Finding(message, plugin.location)
    if stage in (1, 2) and _is(plugin.given.get("precision"), "fp32"):
        yield Finding("Crash: ZeRO wants fp16 or bf16", _place(plugin, "precision"))
    size = started_processes(run)
    if tensor and pipeline and size and size % (tensor * pipeline):
        message = f"Crash: world size {size} is not divisible by tp_size {tensor} * pp_size {pipeline}"
        yield Finding(message, plugin.location)


def _zero(run: RunView, plugin: Object) -> Iterator[Finding]:
    stage = number_under_launch(run, plugin.given.get("stage")) if "stage" in plugin.given else None
    if stage is not None and stage not in (1, 2):
        yield Finding("Crash: LowLevelZeroPlugin only supports stage 1/2 training", _place(plugin, "stage"))


def _is(value: Value | None, word: str) -> bool:
    return isinstance(value, Const) and value.value == word


def _place(plugin: Object, name: str) -> Location:
    """Where an argument is written; else the call."""
    value = plugin.given.get(name)
    return (value.location if isinstance(value, Const) else None) or plugin.location
