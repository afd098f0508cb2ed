"""Finds loaders whose batch is another one than the configuration of DeepSpeed has for each rank."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    NONE,
    Engine,
    Event,
    Evidence,
    Finding,
    RunView,
    engine_events,
    engines,
    events_consuming,
    launch_evidence,
    number_under_launch,
    objects,
    started_processes,
)
from ddl_lint.rulekit.events import Backward, BuildLoader


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader, where it is made."""
    size = started_processes(run)
    for engine in engines(run):
        total = number_under_launch(run, engine.made.given.get("total_batch"))
        if size is None or total is None or engine.has("staged") or engine.wrap.group is not None:
            continue
        steps = _steps(run, engine, total, size)
        for built in run.events(BuildLoader) if steps is not None else ():
            batch = _batch(run, engine, built)
            if batch is not None and steps is not None and batch * size * steps != total:
                yield _finding(run, engine, built, (batch, size, steps), total)


def _steps(run: RunView, engine: Engine, total: int, size: int) -> int | None:
    """The steps of an accumulation, computed as DeepSpeed does where they are not written; None if not known."""
    steps, micro = (engine.made.given.get(name, NONE) for name in ("accumulation", "micro_batch"))
    if steps != NONE:
        return number_under_launch(run, steps)
    if micro == NONE:
        return 1
    each = number_under_launch(run, micro)
    return total // (each * size) if each else None


def _batch(run: RunView, engine: Engine, built: BuildLoader) -> int | None:
    """The batch of a loader that feeds the training of an engine; None of any other."""
    backwards = engine_events(run, engine, Backward)
    for loader in objects(built.result, "loader"):
        if any(event in backwards for event in events_consuming(run, loader, Backward)):
            return number_under_launch(run, built.batch_size)
    return None


def _finding(run: RunView, engine: Engine, built: Event, factors: tuple[int, int, int], total: int) -> Finding:
    batch, size, steps = factors
    product = f"{batch} on each of {size} processes" + (f" in {steps} steps" if steps != 1 else "")
    evidence = (
        Evidence("the engine is created here", engine.wrap.location),
        *launch_evidence(run, f"{size} processes"),
    )
    return Finding(
        f"the loader's batch of {product} makes {batch * size * steps}, but `train_batch_size` is {total}",
        built.location,
        evidence,
        help=f"Give the loader `engine.train_micro_batch_size_per_gpu()`, or set it to {batch * size * steps}.",
    )
