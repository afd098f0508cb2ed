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
        yield Finding(f"Crash: `zero_stage={stage}` is not one of 0, 1 and 2", _place(plugin, "zero_stage"))
    if pipeline is not None and pipeline > 1:
        if stage == 2:
            message = f"Crash: `zero_stage=2` does not work with `pp_size={pipeline}`; the stage must be 0 or 1"
            yield Finding(message, _place(plugin, "zero_stage"))
        if not {"num_microbatches", "microbatch_size"} & plugin.given.keys() and "options" not in plugin.given:
            message = f"Crash: `pp_size={pipeline}` also needs `num_microbatches=` or `microbatch_size=`"
            yield Finding(message, plugin.location)
    if stage in (1, 2) and _is(plugin.given.get("precision"), "fp32"):
        yield Finding(f"Crash: ZeRO stage {stage} needs fp16 or bf16, not fp32", _place(plugin, "precision"))
    size = started_processes(run)
    if tensor and pipeline and size and size % (tensor * pipeline):
        message = f"Crash: a world size of {size} is not divisible by `tp_size` * `pp_size` = {tensor * pipeline}"
        yield Finding(message, plugin.location)


def _zero(run: RunView, plugin: Object) -> Iterator[Finding]:
    stage = number_under_launch(run, plugin.given.get("stage")) if "stage" in plugin.given else None
    if stage is not None and stage not in (1, 2):
        yield Finding(f"Crash: this plugin supports ZeRO stages 1 and 2 only, not {stage}", _place(plugin, "stage"))


def _is(value: Value | None, word: str) -> bool:
    return isinstance(value, Const) and value.value == word


def _place(plugin: Object, name: str) -> Location:
    """Where an argument is written; else the call."""
    value = plugin.given.get(name)
    return (value.location if isinstance(value, Const) else None) or plugin.location
