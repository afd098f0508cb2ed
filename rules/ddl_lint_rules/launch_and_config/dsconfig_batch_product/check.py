"""Finds batch numbers of DeepSpeed that contradict each other, or the size of the job."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

from ddl_lint.rulekit import (
    Const,
    Engine,
    EngineConfig,
    Evidence,
    Finding,
    JobsView,
    Launch,
    Location,
    RunView,
    Table,
    Value,
    engine_configs,
    engines,
    literal,
    number_under_launch,
    replacing,
    script_options,
    sizes_of,
    tree,
)

_TOTAL, _MICRO, _STEPS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"
_NAMES = (_TOTAL, _MICRO, _STEPS)
_PARALLEL = (
    "model_parallel",
    "tensor_parallel",
    "pipe_parallel",
    "pipeline",
    "sequence_parallel",
    "tp_size",
    "pp_size",
)


_Batches: TypeAlias = tuple[int | None, int | None, int | None, Location | None]
"""The three numbers with which a script makes an engine, under its launches; where the total is written in Python."""


def publish(run: RunView) -> Iterable[_Batches]:
    """The batch numbers of the engines that a script makes."""
    for engine in engines(run) if run.is_script else ():
        table = engine.wrap.settings
        if isinstance(table, Table) and not table.open:
            values = _values(table)
            if any(sign in key for key in _keys(table) for sign in (*_PARALLEL, "elasticity", "autotuning")):
                continue
            total, micro, steps = (number_under_launch(run, value) for value in values)
            known = (total, micro, steps)
            unknown = any(value is not None and number is None for value, number in zip(values, known, strict=True))
            if not unknown and not _is_staged(engine):
                yield total, micro, steps, values[0].location if isinstance(values[0], Const) else None


def _is_staged(engine: Engine) -> bool:
    """Whether ranks may hold parts of one model, so that there are fewer replicas than processes."""
    return engine.has("staged") or engine.wrap.group is not None


def _keys(table: Table) -> list[str]:
    return [key.value for key, _ in table.items if isinstance(key, Const) and isinstance(key.value, str)]


def _values(table: Table) -> list[Value | None]:
    held = {key.value: value for key, value in table.items if isinstance(key, Const)}
    return [held.get(name) for name in _NAMES]


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per configuration, at `train_batch_size`."""
    for config in engine_configs(project):
        launches = config.launches or _launches(project, config)
        if tree.member(config.root, "elasticity") is not None or any(_is_parallel(each) for each in launches):
            continue
        if any(tree.member(config.root, name) for name in ("tensor_parallel", "sequence_parallel_size", "autotuning")):
            continue
        yield from _judged(config, launches, _size(project, launches))
    for script in project.told:
        launches = project.jobs.launches_of(script)
        for fact in project.told[script] if not any(map(_is_parallel, launches)) else ():
            total, micro, steps, place = cast(_Batches, fact)
            if place is not None and total is not None:
                yield from _compared(total, micro, steps, place, (), launches, _size(project, launches))


def _size(project: JobsView, launches: Sequence[Launch]) -> int | None:
    """The number of processes that all of these launches start."""
    sizes = {sizes_of(launch, project.jobs).world_size.value for launch in launches}
    return next(iter(sizes)) if len(sizes) == 1 else None


def _launches(project: JobsView, config: EngineConfig) -> list[Launch]:
    """The launches of the scripts that make an engine with these numbers, read from a file that no line names."""
    written = [literal(config.get(name)) for name in _NAMES]
    using = [
        script
        for script, facts in project.told.items()
        if project.speaks_of(config.file.path, script)
        and any(list(cast(_Batches, fact)[:3]) == written for fact in facts)
    ]
    return [launch for script in using for launch in project.jobs.launches_of(script)] if any(written) else []


def _is_parallel(launch: Launch) -> bool:
    return any(sign in name for name in script_options(launch) for sign in _PARALLEL)


def _judged(config: EngineConfig, launches: Sequence[Launch], size: int | None) -> Iterable[Finding]:
    total, micro, steps = (literal(config.get(name)) for name in _NAMES)
    node = config.get(_TOTAL) or config.get(_MICRO) or config.get(_STEPS)
    written = [name for name in _NAMES if config.get(name) is not None]
    if node is None or any(literal(config.get(name)) is None for name in written):
        return
    place = config.place(node)
    if written == [_STEPS]:
        yield Finding(
            "neither `train_batch_size` nor `train_micro_batch_size_per_gpu` is set",
            place,
            help="Set `train_micro_batch_size_per_gpu`.",
        )
    elif total is not None:
        yield from _compared(total, micro, steps, place, _evidence(config), launches, size)


def _compared(
    total: float,
    micro: float | None,
    steps: float | None,
    place: Location,
    evidence: tuple[Evidence, ...],
    launches: Sequence[Launch],
    size: int | None,
) -> Iterable[Finding]:
    each = (micro or 1) * (steps or 1)
    product = f"{int(micro or 1)} * {int(steps or 1)}"
    if total <= 0 or total % each:
        yield Finding(f"`train_batch_size` {int(total)} is not a multiple of {product}", place, evidence)
    elif size is not None and micro is not None and steps is not None and total != each * size:
        meant = int(each * size)
        message = f"`train_batch_size` is {int(total)}, but {product} on {size} processes is {meant}"
        fix = replacing(f"Write {meant}", place, str(meant), "another of the numbers may be wrong")
        yield Finding(message, place, (*evidence, Evidence(f"{size} processes", launches[0].location)), fix=fix)
    elif size is not None and total % (each * size):
        message = f"`train_batch_size` {int(total)} cannot be divided among {size} processes with {int(each)} each"
        yield Finding(message, place, (*evidence, Evidence(f"{size} processes", launches[0].location)))


def _evidence(config: EngineConfig) -> tuple[Evidence, ...]:
    found = [config.get(name) for name in (_MICRO, _STEPS)]
    return tuple(Evidence("a factor of the product", config.place(node)) for node in found if node is not None)
