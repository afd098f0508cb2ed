"""Finds exclusion lists of NCCL without loopback."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, Severity, inserting, nodes_of

_NAMES = ("NCCL_SOCKET_IFNAME", "NCCL_OOB_NET_IFNAME")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per variable of a job on several nodes, where it is set."""
    nodes = [(launch, nodes_of(project, launch)) for launch in project.launches]
    several = {launch.host.path: found for launch, found in nodes if found is not None and found.value > 1}
    for variable in project.jobs.variables:
        written = variable.value.value
        job = several.get(variable.file.path)
        if variable.name not in _NAMES or written is None or not written.startswith("^") or job is None:
            continue
        if "lo" in written[1:].lstrip("=").split(","):
            continue
        exact = variable.value.location
        at = variable.file.text.find("^", exact.start, exact.end)
        skip = 2 if written.startswith("^=") else 1
        yield Finding(
            f"`{variable.name}={written}` allows loopback, where no other node answers",
            variable.location,
            (Evidence(f"the job has {job.value} nodes", job.place),),
            severity=Severity.WARNING,
            fix=inserting("Add lo to the excluded interfaces", exact.path, at + skip, "lo,") if at >= 0 else None,
            help=f"Exclude `lo` as well: `{variable.name}=^lo,{written[1:].lstrip('=')}`.",
        )
