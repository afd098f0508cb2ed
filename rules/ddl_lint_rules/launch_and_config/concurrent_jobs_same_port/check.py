"""Finds launches that start beside one in the background with the same port."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, Launch, Location, Severity

_DEFAULT = {"torchrun": "29500", "torch.distributed.launch": "29500", "accelerate": "29500", "deepspeed": "29500"}
_CHOSEN_SINCE = "2.12"
"""The version of PyTorch from which on a launcher without a port takes one that is free."""

_WAITS = ("wait", "fg")
_ELSEWHERE = ("ssh", "pdsh", "srun", "docker", "singularity", "apptainer")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per second launch."""
    for text in project.jobs.texts:
        running: list[tuple[str, Location, bool, tuple[int, ...]]] = []
        launches = {launch.command.location: launch for launch in project.launches if launch.host is text.host}
        for command in text.shell.commands:
            if command.name in _WAITS:
                running.clear()
            launch = launches.get(command.location)
            port = _port(project, launch) if launch is not None else None
            if launch is None or port is None:
                continue
            number, is_written = port
            same = next((each for each in running if each[0] == number and _together(each[3], command.arms)), None)
            if same is not None:
                is_plain = is_written and same[2]
                yield Finding(
                    f"port {number} is used by the background job of {project.place(same[1])}",
                    launch.command.location,
                    (Evidence("this job is still running", same[1]),),
                    severity=None if is_plain else Severity.WARNING,
                )
            if command.in_background:
                running.append((number, command.location, is_written, command.arms))


def _together(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether one run of the script may reach both commands."""
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]


def _port(project: JobsView, launch: Launch) -> tuple[str, bool] | None:
    """The port at which the processes of a launch meet, and whether it is written; None if it is not known."""
    launcher = launch.launcher
    if launcher is None or launcher.program not in _DEFAULT or launcher.is_open or launch.step(*_ELSEWHERE) is not None:
        return None
    if launcher.role("single_node") is not None or launcher.role("config") is not None or (launch.nodes or 2) > 1:
        return None
    endpoint = launcher.role("endpoint")
    backend = launcher.role("backend")
    if endpoint is not None or backend is not None:
        value = endpoint.value.value if endpoint is not None and endpoint.value is not None else None
        port = (value or "").rpartition(":")[2]
        return (port, True) if port.isdigit() and port != "0" else None
    option = launcher.role("port")
    if option is not None:
        value = option.value.value if option.value is not None else None
        return (value, True) if value is not None and value.isdigit() and value != "0" else None
    chosen = launch.command.environment("MASTER_PORT")
    if chosen is not None and launcher.program == "deepspeed":
        return None
    versions = project.versions_of(launch.host.path)
    if launcher.program != "deepspeed" and not versions.surely_before("torch", _CHOSEN_SINCE):
        return None
    return _DEFAULT[launcher.program], False
