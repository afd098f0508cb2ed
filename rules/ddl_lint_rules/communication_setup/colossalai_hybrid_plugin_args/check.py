"""Finds arguments of plugins that exclude each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    FALSE,
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    is_constant,
    is_launched_there,
    number_under_launch,
    objects,
    started_processes,
)
from ddl_lint.rulekit.domain import Trained
from ddl_lint.rulekit.events import Delegate, SkipSynchronization

_FRAMEWORK = "colossalai"
_STAGES = (0, 1, 2)
_STAGE_NAMES = ("stage", "zero_stage")
_PRECISIONS = ("fp16", "bf16", "fp32")
_AMONG_TENSOR_RANKS = ("split_gather", "ring")
"""The modes in which the ranks that share a layer share its sequence, too."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per plugin."""
    for event in run.events(Delegate):
        for plugin in objects(event.result, "strategy") if run.api.framework(event.api) == _FRAMEWORK else ():
            found = _staged(run, event, plugin) if plugin.traits.get("shards_stages") else _zero(run, plugin)
            yield from list(found)[:1]
    yield from _unsynchronized(run)


def _staged(run: RunView, event: Event, plugin: Object) -> Iterator[Finding]:
    def number(name: str) -> int | None:
        return number_under_launch(run, plugin.given.get(name))

    tensor, pipeline, stage = number("tp_size"), number("pp_size"), number("zero_stage")
    is_whole = "options" not in plugin.given
    for name in ("tp_size", "pp_size"):
        if name not in plugin.given and is_whole and not run.heap.is_escaped(plugin):
            yield Finding(f"HybridParallelPlugin is missing its argument `{name}`", plugin.location)
    if stage is not None and stage not in _STAGES:
        yield _at(plugin, "zero_stage", f"`zero_stage={stage}` is not one of 0, 1 and 2")
    if pipeline is not None and pipeline > 1:
        if stage == 2:
            yield _at(
                plugin,
                "zero_stage",
                f"`zero_stage=2` does not work with `pp_size={pipeline}`; the stage must be 0 or 1",
            )
        if not {"num_microbatches", "microbatch_size"} & plugin.given.keys() and is_whole:
            message = f"`pp_size={pipeline}` also needs `num_microbatches=` or `microbatch_size=`"
            yield Finding(message, plugin.location)
    if stage in (1, 2) and is_constant(plugin.given.get("precision"), "fp32"):
        yield _at(plugin, "precision", f"ZeRO stage {stage} needs fp16 or bf16, not fp32")
    yield from _sequence(run, plugin, tensor)
    size = started_processes(run) if is_launched_there(run, event) else None
    sequence = number("sp_size") if _has_own_sequence_ranks(plugin) else 1
    if tensor and pipeline and sequence and size and size % (tensor * pipeline * sequence):
        shown = f"tp_size {tensor} * pp_size {pipeline}" + (f" * sp_size {sequence}" if sequence > 1 else "")
        yield Finding(f"a world size of {size} is not divisible by {shown}", plugin.location)


def _has_own_sequence_ranks(plugin: Object) -> bool:
    """Whether the sequence is divided among ranks of its own, and not among those of the tensors."""
    mode = plugin.given.get("sequence_parallelism_mode")
    return "sp_size" in plugin.given and not is_constant(mode, *_AMONG_TENSOR_RANKS)


def _sequence(run: RunView, plugin: Object, tensor: int | None) -> Iterator[Finding]:
    mode, switch = plugin.given.get("sequence_parallelism_mode"), plugin.given.get("enable_sequence_parallelism", FALSE)
    if is_constant(switch, True) and tensor == 1 and is_constant(mode, *_AMONG_TENSOR_RANKS):
        yield _at(plugin, "sequence_parallelism_mode", "this `sequence_parallelism_mode` needs a `tp_size` above 1")
    ranks = number_under_launch(run, plugin.given.get("sp_size"))
    if ranks is not None and ranks > 1 and is_constant(switch, False) and "options" not in plugin.given:
        yield _at(plugin, "sp_size", "a `sp_size` above 1 needs `enable_sequence_parallelism=True`")


def _zero(run: RunView, plugin: Object) -> Iterator[Finding]:
    stage = number_under_launch(run, plugin.given.get("stage")) if "stage" in plugin.given else None
    if stage is not None and stage not in (1, 2):
        yield _at(plugin, "stage", f"this plugin supports ZeRO stages 1 and 2 only, not {stage}")
    precision = plugin.given.get("precision")
    if "stage" in plugin.given and isinstance(precision, Const) and precision.value not in _PRECISIONS:
        yield _at(plugin, "precision", "this plugin's `precision` is one of fp16, bf16 and fp32")


def _unsynchronized(run: RunView) -> Iterator[Finding]:
    """Steps without synchronization where gradients are divided among the ranks as they come."""
    for event in run.events(SkipSynchronization) if run.is_script else ():
        if run.api.framework(event.api) != _FRAMEWORK:
            continue
        wrappers = (made for role in ("model", "optimizer") for made in objects(event.operands.get(role)))
        boosters = {booster for made in wrappers for booster in Trained(made).trainers}
        plugins = [made for booster in boosters for made in objects(booster.given.get("plugin"), "strategy")]
        stages = {number_under_launch(run, made.given.get(name)) for made in plugins for name in _STAGE_NAMES}
        if len(plugins) == 1 and 2 in stages:
            yield Finding("ZeRO stage 2 does not support `no_sync`", event.location)


def _at(made: Object, name: str, message: str) -> Finding:
    """A finding where an argument is written in the call; else at the call, with the place of the value."""
    value = made.given.get(name)
    place = value.location if isinstance(value, Const) else None
    call = made.location
    if place is None:
        return Finding(message, call)
    if place.path == call.path and call.start <= place.start <= call.end:
        return Finding(message, place)
    return Finding(message, call, (Evidence("the value is given here", place),))
