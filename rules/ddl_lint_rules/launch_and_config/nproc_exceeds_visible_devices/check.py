"""Finds launches with more processes on a node than visible devices."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Known,
    Launch,
    Step,
    accelerate_config,
    container_options,
    nodes_of,
    replacing,
    tree,
    visible_devices,
)
from ddl_lint.rulekit import Location as Place

_REASON = "more devices may be meant"
_FORCED_OFF = ("--no-cuda", "--no_cuda", "--cpu", "--use_cpu")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the option that gives the number of processes."""
    for launch in project.launches:
        if launch.launcher is None or launch.command.is_repeated or _is_on_cpu(launch):
            continue
        found = _count(project, launch)
        devices = _devices(project, launch)
        if found is None or devices is None:
            continue
        count, shown, name = devices
        if found.value > count:
            written = found.written
            message = f"{found.value} processes on this machine, but `{name}` shows {count} device{'s' * (count != 1)}"
            fix = replacing(f"Start {count} processes", written, str(count), _REASON) if written is not None else None
            yield Finding(
                message,
                found.place,
                (Evidence(f"{count} visible here", shown),),
                fix=fix,
                help=f"Start {count} processes, or list {found.value} devices.",
            )


def _is_on_cpu(launch: Launch) -> bool:
    values = {word.value for word in launch.arguments}
    return bool(values & {*_FORCED_OFF, "gloo", "cpu"})


def _count(project: JobsView, launch: Launch) -> Known[int] | None:
    """The number of processes on a node."""
    launcher = launch.launcher
    if launcher is None:
        return None
    for role in ("processes", "all_processes"):
        option = launcher.role(role)
        if option is not None and option.value is not None:
            return option.number if role == "processes" or _is_alone(project, launch, launcher) else None
    file = accelerate_config(project, launch)
    machines = tree.number(file.node("num_machines")) if file is not None else None
    return file.number("num_processes") if file is not None and machines in (None, 1) else None


def _is_alone(project: JobsView, launch: Launch, launcher: Step) -> bool:
    """Whether all processes of a launch surely run on one machine."""
    nodes = nodes_of(project, launch)
    return launcher.program == "accelerate" if nodes is None else nodes.value == 1


def _devices(project: JobsView, launch: Launch) -> tuple[int, Place, str] | None:
    """How many devices the processes of a machine see, where that is written, and in which variable."""
    launcher = launch.launcher
    if launcher is not None and launcher.program == "deepspeed" and launcher.options:
        return None  # it does not look at the variable then
    visible = visible_devices(launch)
    if visible is not None:
        devices, word, name = visible
        return len(devices), word.location, name
    options = container_options(launch)
    for before, option in zip(options or [], (options or [])[1:], strict=False):
        text = option.strip("\"'")
        if before == "--gpus" and text.startswith("device="):
            step = launch.steps[0]
            return len(text.removeprefix("device=").split(",")), step.word.location, "--gpus"
    file = accelerate_config(project, launch)
    listed = file.string("gpu_ids") if file is not None else None
    if listed is not None and all(each.strip().isdigit() for each in listed.value.split(",")):
        return len(listed.value.split(",")), listed.place, "gpu_ids"
    return None
