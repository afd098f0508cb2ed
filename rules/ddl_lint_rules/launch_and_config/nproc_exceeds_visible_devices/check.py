"""Finds launches with more processes on a node than visible devices."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Launch,
    accelerate_config,
    configured,
    container_options,
    nodes_of,
    number_of,
    replacing,
    tree,
    visible_devices,
)
from ddl_lint.rulekit import Location as Place

_REASON = "more devices may be meant"
_FORCED_OFF = ("--no-cuda", "--no_cuda", "--cpu", "--use_cpu")


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the option that gives the number of processes."""
    for launch in around.launches:
        if launch.launcher is None or launch.command.is_repeated or _is_on_cpu(launch):
            continue
        found = _count(around, launch)
        devices = _devices(around, launch)
        if found is None or devices is None:
            continue
        (number, place, written), (count, shown, name) = found, devices
        if number > count:
            message = f"{number} processes on this machine, but `{name}` shows {count} device{'s' * (count != 1)}"
            fix = replacing(f"Start {count} processes", written, str(count), _REASON) if written is not None else None
            yield Finding(
                message,
                place,
                (Evidence(f"{count} visible here", shown),),
                fix=fix,
                help=f"Start {count} processes, or list {number} devices.",
            )


def _is_on_cpu(launch: Launch) -> bool:
    values = {word.value for word in launch.arguments}
    return bool(values & {*_FORCED_OFF, "gloo", "cpu"})


def _count(around: JobsView, launch: Launch) -> tuple[int, Place, Place | None] | None:
    """The number of processes on a node, where that is written, and the place of the number alone."""
    launcher = launch.launcher
    if launcher is None:
        return None
    for role in ("processes", "all_processes"):
        option = launcher.role(role)
        if option is None or option.value is None:
            continue
        number = number_of(option.value)
        nodes = nodes_of(around, launch)
        if number is None or (role == "all_processes" and not _is_alone(launch, nodes.number if nodes else None)):
            return None
        word = option.value
        return number, option.location, word.location if word.value and word.location != option.location else None
    file = accelerate_config(around, launch)
    node = configured(file, "num_processes")
    number, machines = tree.number(node), tree.number(configured(file, "num_machines"))
    if file is None or node is None or number is None or machines not in (None, 1):
        return None
    return number, file.place(node), file.place(node)


def _is_alone(launch: Launch, nodes: int | None) -> bool:
    """Whether all processes of a launch surely run on one machine."""
    launcher = launch.launcher
    return nodes == 1 or (nodes is None and launcher is not None and launcher.program == "accelerate")


def _devices(around: JobsView, launch: Launch) -> tuple[int, Place, str] | None:
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
    file = accelerate_config(around, launch)
    node = configured(file, "gpu_ids")
    text = tree.text(node)
    if file is not None and node is not None and text and all(each.strip().isdigit() for each in text.split(",")):
        return len(text.split(",")), file.place(node), "gpu_ids"
    return None
