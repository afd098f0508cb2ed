"""Finds batch numbers of DeepSpeed that contradict each other, or the size of the job."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    EngineConfig,
    Evidence,
    Finding,
    JobsView,
    Launch,
    engine_configs,
    literal,
    replacing,
    script_options,
    tree,
)

_TOTAL, _MICRO, _STEPS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"
_PARALLEL = (
    "model_parallel",
    "tensor_parallel",
    "pipe_parallel",
    "pipeline",
    "sequence_parallel",
    "tp_size",
    "pp_size",
)


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per configuration, at `train_batch_size`."""
    for config in engine_configs(around):
        if tree.member(config.root, "elasticity") is not None or any(_is_parallel(each) for each in config.launches):
            continue
        if any(tree.member(config.root, name) for name in ("tensor_parallel", "sequence_parallel_size", "autotuning")):
            continue
        yield from _judged(around, config)


def _is_parallel(launch: Launch) -> bool:
    return any(sign in name for name in script_options(launch) for sign in _PARALLEL)


def _judged(around: JobsView, config: EngineConfig) -> Iterable[Finding]:
    total, micro, steps = (literal(config.get(name)) for name in (_TOTAL, _MICRO, _STEPS))
    node = config.get(_TOTAL) or config.get(_MICRO) or config.get(_STEPS)
    written = [name for name in (_TOTAL, _MICRO, _STEPS) if config.get(name) is not None]
    if node is None or any(literal(config.get(name)) is None for name in written):
        return
    place = config.place(node)
    if written == [_STEPS]:
        yield Finding(
            "Crash: neither `train_batch_size` nor `train_micro_batch_size_per_gpu` is set",
            place,
            help="Set `train_micro_batch_size_per_gpu`.",
        )
        return
    if total is None:
        return
    each = (micro or 1) * (steps or 1)
    product = f"{int(micro or 1)} * {int(steps or 1)}"
    sizes = {launch.world_size for launch in config.launches}
    size = next(iter(sizes)) if len(sizes) == 1 else None
    if total <= 0 or total % each:
        yield Finding(
            f"Crash: `train_batch_size` {total} is not a multiple of {product}",
            place,
            _evidence(config),
            help=f"Use a multiple of {product}, or omit `train_batch_size`.",
        )
    elif size is not None and micro is not None and steps is not None and total != each * size:
        launch = config.launches[0]
        meant = int(each * size)
        message = f"Crash: `train_batch_size` is {total}, but {product} on {size} processes is {meant}"
        fix = replacing(f"Write {meant}", place, str(meant), "another of the numbers may be wrong")
        yield Finding(
            message,
            place,
            (*_evidence(config), Evidence(f"{size} processes", launch.location)),
            fix=fix,
            help=f"Write {meant}, or omit `train_batch_size`.",
        )
    elif size is not None and total % (each * size):
        launch = config.launches[0]
        message = f"Crash: `train_batch_size` {total} cannot be divided among {size} processes with {int(each)} each"
        yield Finding(
            message,
            place,
            (*_evidence(config), Evidence(f"{size} processes", launch.location)),
            help=f"Use a multiple of {int(each * size)}, or omit `train_batch_size`.",
        )
    del around


def _evidence(config: EngineConfig) -> tuple[Evidence, ...]:
    found = [config.get(name) for name in (_MICRO, _STEPS)]
    return tuple(Evidence("a factor of the product", config.place(node)) for node in found if node is not None)
