"""The hosts on which MPI, Horovod or DeepSpeed start processes: lists on the launch line, and host files."""

from __future__ import annotations

import re

from ddl_lint.jobs.launch import Launch
from ddl_lint.jobs.project_jobs import Jobs

_LINE = re.compile(
    r"(?P<host>[^\s:#]+)(?::(?P<after>\d+)|[ \t]+(?:slots|max[-_]slots)[ \t]*=[ \t]*(?P<slots>\d+))?\b.*"
)


def hosts_of(launch: Launch) -> dict[str, int | None] | None:
    """The hosts of an MPI launch with their slots (None where none are given); None if it names none."""
    listed = listed_hosts(launch)
    return dict(listed) if listed is not None else None


def listed_hosts(launch: Launch) -> list[tuple[str, int | None]] | None:
    """The same in their order; a host may come several times, each for one slot."""
    launcher = launch.launcher
    option = launcher.role("hosts") if launcher is not None else None
    written = option.value.value if option is not None and option.value is not None else None
    if written is None:
        return None
    found: list[tuple[str, int | None]] = []
    for part in written.split(","):
        name, colon, slots = part.strip().rpartition(":")
        if colon and slots.isdigit():
            found.append((name, int(slots)))
        elif part.strip():
            found.append((part.strip(), None))
    return found


def host_file(launch: Launch, jobs: Jobs) -> list[tuple[str, int | None]] | None:
    """The hosts of the file that a launch names, or that its script writes; None where it is not known."""
    launcher = launch.launcher
    option = launcher.role("hosts_file") if launcher is not None else None
    file = jobs.given_file(option.value, launch, of_any_name=True) if option is not None else None
    if file is None or "{{" in file.text:
        return None
    found: list[tuple[str, int | None]] = []
    for line in file.text.splitlines():
        text = line.partition("#")[0].strip()
        match = _LINE.fullmatch(text)
        if match is not None and match["host"] != "null":
            slots = match["slots"] or match["after"]
            found.append((match["host"], int(slots) if slots else None))
        elif text:
            return None
    return found or None


def included_devices(launch: Launch) -> dict[str, int] | None:
    """How many devices DeepSpeed's `--include one:0,1@two:0,1` takes of each host; None where it is not known."""
    launcher = launch.launcher
    option = launcher.given("include") if launcher is not None and launcher.program == "deepspeed" else None
    written = option.value.value if option is not None and option.value is not None else None
    if written is None:
        return None
    found: dict[str, int] = {}
    for part in written.split("@"):
        host, colon, devices = part.strip().partition(":")
        if not host or not colon or not devices:
            return None  # all that the host has
        found[host] = len({device.strip() for device in devices.split(",") if device.strip()})
    return found
