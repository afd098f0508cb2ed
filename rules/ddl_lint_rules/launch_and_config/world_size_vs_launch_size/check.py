"""Finds literal world sizes that differ from what the launcher starts."""

from __future__ import annotations

from collections.abc import Iterable

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

_LAUNCHERS = ("torchrun", "torch.distributed.launch", "accelerate", "deepspeed")


def publish(run: RunView) -> Iterable[object]:
    """The literal sizes of default groups, and where they are given."""
    for init in run.events("init_process_group") if run.is_launched else ():
        size = init.operands.get("world_size")
        is_said = not isinstance(size, (WorldSize, Apply))
        number = number_under_launch(run, size) if is_said else None
        if (
            number is not None
            and number > 0
            and in_process(init) is None
            and is_certain(init)
            and not run.api.group_of(init.api)
        ):
            yield (init.location, number)


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per group, where it is created."""
    scripts = dict.fromkeys(launch.script for launch in around.launches if launch.script is not None)
    for script in scripts:
        launches = around.jobs.launches_of(script)
        if any(launch.step(*_LAUNCHERS) is None or launch.all_steps[0].program == "srun" for launch in launches):
            continue
        sizes = {launch.world_size for launch in launches}
        started = next(iter(sizes)) if len(sizes) == 1 else None
        if started is None:
            continue
        for fact in around.facts(launches[0]) or ():
            location, size = fact  # pyright: ignore
            assert isinstance(location, Location)
            if size == started:
                continue
            where = around.place(launches[0].location)
            consequence = "hang" if size > started else "crash"  # pyright: ignore
            yield Finding(
                f"`world_size={size}`, but {where} starts {started} process{'es' * (started != 1)}",
                location,
                (Evidence(f"{started} are started here", launches[0].location),),
                consequence=consequence,
            )
