"""Finds builds of torch without NCCL for programs that ask for it."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Const,
    Evidence,
    Finding,
    Instruction,
    JobsView,
    Launch,
    Location,
    Pin,
    RunView,
    Unit,
    installed_by,
    is_certain,
)
from ddl_lint.rulekit.events import InitProcessGroup

_NCCL = "nccl"


def publish(run: RunView) -> Iterable[Location]:
    """Where a group is surely made with NCCL."""
    for init in run.events(InitProcessGroup) if run.is_launched else ():
        backend = init.backend
        if isinstance(backend, Const) and backend.value == _NCCL and is_certain(init):
            yield init.location


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per installation, where torch is installed."""
    for path in {launch.host.path: None for launch in project.launches}:
        installs = _torch(project, path)
        if len(installs) != 1 or not _is_for_cpus(*installs[0]):
            continue
        unit, pin = installs[0]
        for launch in project.launches:
            group = next(iter(project.published(launch, Location)), None)
            if launch.host.path != path or group is None or _chooses(launch):
                continue
            message = "this CPU build of torch has no NCCL, which the launched program uses as its backend"
            evidence = (
                Evidence("the process group uses NCCL", group),
                Evidence("the program is launched here", launch.location),
            )
            yield Finding(message, pin.location, evidence)
            break
        del unit


def _torch(project: JobsView, path: str) -> list[tuple[Unit, Pin]]:
    """The commands of a file that install torch, of a Dockerfile in its last stage."""
    last = max((each.stage for each in project.jobs.dockerfiles.get(path, ())), default=-1)
    found: list[tuple[Unit, Pin]] = []
    for text in project.jobs.texts:
        about = text.host.about
        if text.file.path != path or (isinstance(about, Instruction) and about.stage != last):
            continue
        for command in text.shell.commands:
            unit = installed_by(command)
            pin = next((each for each in unit.pins if each.name == "torch"), None) if unit is not None else None
            if unit is not None and pin is not None:
                found.append((unit, pin))
    return found


def _is_for_cpus(unit: Unit, pin: Pin) -> bool:
    names = {each.name for each in unit.pins}
    return (
        pin.label == "cpu" or any(index.rstrip("/").endswith("whl/cpu") for index in unit.indexes) or "cpuonly" in names
    )


def _chooses(launch: Launch) -> bool:
    return any(word.value in ("gloo", "cpu", "--cpu", "--no-cuda") for word in launch.arguments)
