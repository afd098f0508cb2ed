"""Finds literal world sizes that differ from what the launcher starts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddl_lint.rulekit import (
    Apply,
    Evidence,
    Finding,
    JobsView,
    Location,
    RunView,
    WorldSize,
    in_process,
    is_certain,
    number_under_launch,
)
from ddl_lint.rulekit.events import InitProcessGroup

_LAUNCHERS = ("torchrun", "torch.distributed.launch", "accelerate", "deepspeed")


class _Group(NamedTuple):
    """A default group with a literal size."""

    place: Location
    size: int


def publish(run: RunView) -> Iterable[_Group]:
    """The literal sizes of default groups, and where they are given."""
    for init in run.events(InitProcessGroup) if run.is_launched else ():
        size = init.world_size
        is_said = not isinstance(size, (WorldSize, Apply))
        number = number_under_launch(run, size) if is_said else None
        if (
            number is not None
            and number > 0
            and in_process(init) is None
            and is_certain(init)
            and not run.api.group_of(init.api)
        ):
            yield _Group(init.location, number)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per group, where it is created."""
    scripts = dict.fromkeys(launch.script for launch in project.launches if launch.script is not None)
    for script in scripts:
        launches = project.jobs.launches_of(script)
        if any(launch.step(*_LAUNCHERS) is None or launch.all_steps[0].program == "srun" for launch in launches):
            continue
        sizes = {launch.world_size for launch in launches}
        started = next(iter(sizes)) if len(sizes) == 1 else None
        if started is None:
            continue
        for location, size in project.published(launches[0], _Group):
            if size == started:
                continue
            where = project.place(launches[0].location)
            consequence = "hang" if size > started else "crash"
            yield Finding(
                f"`world_size={size}`, but {where} starts {started} process{'es' * (started != 1)}",
                location,
                (Evidence(f"{started} are started here", launches[0].location),),
                consequence=consequence,
            )
