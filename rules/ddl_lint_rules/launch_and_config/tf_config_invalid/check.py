"""Finds faults in `TF_CONFIG`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from ddl_lint.rulekit import Evidence, Finding, JobsView, Location, Variable
from ddl_lint_rules.communication_setup.tf_config_env.cluster import fault_of

_NAME = "TF_CONFIG"


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per variable, where it is set; the second of two that are the same task."""
    tasks: dict[tuple[str, str, int], Location] = {}
    clusters: dict[str, tuple[object, Location]] = {}
    remote: dict[tuple[str, str], tuple[str, Location]] = {}
    for variable in project.jobs.variables:
        written = variable.value.value
        if variable.name != _NAME or written is None or not written.strip():
            continue
        try:
            data: object = json.loads(written)
        except ValueError:
            quoted = "'" in written and '"' not in written
            hint = "; JSON needs double quotes" if quoted else ""
            yield Finding(
                f"`TF_CONFIG` is not JSON{hint}",
                variable.location,
                help="Write JSON, with double quotes around keys and strings.",
                consequence="crash",
            )
            continue
        fault = fault_of(data)
        if fault is not None:
            yield Finding(fault.message, variable.location, help=fault.advice)
            continue
        if variable.text is None and isinstance(data, dict):  # each container has a task of its own
            yield from _beside_others(cast("dict[str, Any]", data), variable, tasks, clusters)
        elif (host := _host(project, variable)) and isinstance(data, dict):
            yield from _beside_hosts(cast("dict[str, Any]", data), variable, host, remote)


def _beside_others(
    data: Mapping[str, Any],
    variable: Variable,
    tasks: dict[tuple[str, str, int], Location],
    clusters: dict[str, tuple[object, Location]],
) -> Iterable[Finding]:
    """Containers of one file are different tasks of one cluster."""
    task, path = data.get("task"), variable.file.path
    kind, index = (task.get("type"), task.get("index")) if isinstance(task, dict) else (None, None)  # pyright: ignore
    if not isinstance(kind, str) or not isinstance(index, int):
        return
    first = tasks.setdefault((path, kind, index), variable.location)
    cluster, place = clusters.setdefault(path, (data.get("cluster"), variable.location))
    if first != variable.location:
        message = f"two containers are {kind} {index}; the others wait for a task that never starts"
        yield Finding(
            message,
            variable.location,
            (Evidence("this one is the same task", first),),
            help="Use a different `task.index` in each container.",
        )
    elif cluster != data.get("cluster"):
        message = "the containers of this file have different clusters in `TF_CONFIG`"
        yield Finding(
            message,
            variable.location,
            (Evidence("another cluster is set here", place),),
            help="Use the same `cluster` in all containers.",
        )


def _host(project: JobsView, variable: Variable) -> str | None:
    """The machine on which `ssh` starts a script with this variable, whatever else the file does."""
    place = variable.location
    for launch in project.launches if not variable.arms else ():
        outer, ssh = launch.command.per_task, launch.step("ssh")
        if outer is None or ssh is None or not ssh.words or outer.location.path != place.path:
            continue
        if outer.location.start <= place.start and place.end <= launch.location.end:
            return ssh.words[-1].value
    return None


def _beside_hosts(
    data: Mapping[str, Any], variable: Variable, host: str, seen: dict[tuple[str, str], tuple[str, Location]]
) -> Iterable[Finding]:
    """Machines that one script starts for one cluster are different tasks of it."""
    task = json.dumps([data.get("task"), data.get("cluster")], sort_keys=True)
    first, place = seen.setdefault((variable.file.path, task), (host, variable.location))
    if first != host:
        yield Finding(
            f"`{first}` and `{host}` are the same task; the others wait for one that never starts",
            variable.location,
            (Evidence(f"`{first}` is the same task", place),),
            help="Use a different `task.index` on each host.",
        )
