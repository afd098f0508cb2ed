"""Finds launchers of scripts that spawn their own workers."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Launch,
    Location,
    RunView,
    directives_of,
    in_process,
    is_certain,
    number_of,
    starts_several,
)

_LAUNCHERS = ("torchrun", "torch.distributed.launch")


def publish(run: RunView) -> Iterable[object]:
    """Where the script surely starts several processes that make a group."""
    if not run.is_launched or (run.has("read_environment") and _asks_who(run)):
        return
    inside = {node.location for init in run.events("init_process_group") if (node := in_process(init)) is not None}
    for start in run.events("start_processes"):
        if start.location in inside and starts_several(start) and is_certain(start):
            yield start.location


def _asks_who(run: RunView) -> bool:
    """Whether the first process asks for its rank: it may know that a launcher has started it."""
    known = run.api.conventions.environment
    return any(
        meaning is not None and meaning.kind in ("rank", "world_size")
        for event in run.events("read_environment")
        if in_process(event) is None
        for value in [event.operands.get("variable")]
        for meaning in [known.get(str(getattr(value, "value", "")))]
    )


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the launcher."""
    for launch in around.launches:
        place = _several(around, launch)
        for fact in around.facts(launch) or () if place is not None else ():
            if isinstance(fact, Location) and place is not None:
                yield Finding(
                    "each process that this launcher starts spawns another process for every GPU",
                    place,
                    (Evidence("the script spawns its processes itself", fact),),
                )
                break


def _several(around: JobsView, launch: Launch) -> Location | None:
    """Where several processes are started on a node."""
    step = launch.step(*_LAUNCHERS)
    if step is not None:
        option = step.role("processes")
        value = option.value.value if option is not None and option.value is not None else None
        number = number_of(option.value) if option is not None else None
        return step.word.location if value in ("gpu", "auto") or (number or 0) > 1 else None
    srun, directives = launch.step("srun"), directives_of(around, launch)
    if srun is None or launch.launcher is not None or directives is None or srun.options:
        return None
    return srun.word.location if (directives.tasks_per_node or 0) > 1 else None
