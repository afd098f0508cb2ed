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
    starts_several,
)
from ddl_lint.rulekit.events import InitProcessGroup, ReadEnvironment, StartProcesses

_LAUNCHERS = ("torchrun", "torch.distributed.launch")


def publish(run: RunView) -> Iterable[Location]:
    """Where the script surely starts several processes that make a group."""
    if not run.is_launched or (run.has(ReadEnvironment) and _asks_who(run)):
        return
    inside = {node.location for init in run.events(InitProcessGroup) if (node := in_process(init)) is not None}
    for start in run.events(StartProcesses):
        if start.location in inside and starts_several(start) and is_certain(start):
            yield start.location


def _asks_who(run: RunView) -> bool:
    """Whether the first process asks for its rank: it may know that a launcher has started it."""
    known = run.api.conventions.environment
    return any(
        meaning is not None and meaning.kind in ("rank", "world_size")
        for event in run.events(ReadEnvironment)
        if in_process(event) is None
        for value in [event.variable]
        for meaning in [known.get(str(getattr(value, "value", "")))]
    )


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the launcher."""
    for launch in project.launches:
        place = _several(project, launch)
        spawned = next(iter(project.published(launch, Location)), None)
        if place is not None and spawned is not None:
            yield Finding(
                "each process that this launcher starts spawns another process for every GPU",
                place,
                (Evidence("the script spawns its processes itself", spawned),),
            )


def _several(project: JobsView, launch: Launch) -> Location | None:
    """Where several processes are started on a node."""
    step = launch.step(*_LAUNCHERS)
    if step is not None:
        text, number = step.text("processes"), step.number("processes")
        is_several = (text is not None and text.value in ("gpu", "auto")) or (number is not None and number.value > 1)
        return step.word.location if is_several else None
    srun, directives = launch.step("srun"), directives_of(project, launch)
    if srun is None or launch.launcher is not None or directives is None or srun.options:
        return None
    return srun.word.location if (directives.tasks_per_node or 0) > 1 else None
