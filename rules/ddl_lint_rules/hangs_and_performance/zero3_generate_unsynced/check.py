"""Finds generations with a sharded engine in which a process stops when its own texts are complete."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    FALSE,
    NONE,
    Engine,
    Evidence,
    Finding,
    RunView,
    called_back,
    engines,
    in_handler,
    is_rank_guarded,
    is_whole_here,
    may_drive,
    objects,
    with_fix,
)
from ddl_lint.rulekit.events import Delegate, Forward
from ddl_lint_rules.hangs_and_performance.zero3_generate_unsynced.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    if any(run.traits(made).get("divides_loading") for each in run.events(Delegate) for made in objects(each.result)):
        return  # then the library does so itself
    reported: set[object] = set()
    for engine in engines(run):
        for event in run.events(Forward) if engine.has("sharded") else ():
            if event.location not in reported and _ends_apart(run, engine, event):
                reported.add(event.location)
                finding = Finding(
                    "each rank generates until its own texts are complete, while the others wait to gather parameters",
                    event.location,
                    (Evidence("ZeRO-3 partitions the parameters here", engine.wrap.location),),
                )
                yield with_fix(finding, fix, run, event)


def _ends_apart(run: RunView, engine: Engine, event: Forward) -> bool:
    models = objects(event.model)
    return (
        "generation" in event.provides
        and bool(models)
        and all(map(engine.owns, models))
        and event.operands.get("in_step", NONE) in (NONE, FALSE)
        and may_drive(run, engine, event)
        and not (is_whole_here(event.context) or is_rank_guarded(event) or in_handler(event) or called_back(event))
    )
