"""Finds servers of a TensorFlow 1 cluster that do not know who they are, and sessions that do not work with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Items,
    RunView,
    Table,
    Value,
    is_absent,
    is_constant,
    objects,
)

_ADDRESS = re.compile(r"(?!\w+://).+:\d+")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    servers = run.events("start_server")
    for event in servers:
        yield from _misfit(event, _jobs(event.operands.get("cluster")))
    if servers:
        yield from _placed_nowhere(run, servers[0])
        yield from _unconnected(run, servers[0])


def _misfit(event: Event, jobs: dict[str, list[Value]] | None) -> Iterator[Finding]:
    """What the constructor of the server refuses."""
    for job, addresses in (jobs or {}).items():
        for address in addresses:
            if isinstance(address, Const) and isinstance(address.value, str) and not _ADDRESS.fullmatch(address.value):
                message = f'Crash: "{address.value}" of job `{job}` is not an address of the form `host:port`'
                yield Finding(message, address.location or event.location)
                return
    if jobs is None:
        return
    job = event.operands.get("job")
    if is_absent(event, "job") and len(jobs) > 1:
        yield Finding("Crash: the cluster has several jobs, so `Server` needs `job_name=`", event.location)
    elif isinstance(job, Const) and isinstance(job.value, str) and job.value not in jobs:
        yield Finding(f"Crash: the cluster has no job `{job.value}`, only {_listed(jobs)}", event.location)
    elif is_absent(event, "index"):
        own = jobs.get(str(job.value)) if isinstance(job, Const) and job.value is not None else None
        tasks = own if own is not None else max(jobs.values(), key=len) if len(jobs) == 1 else []
        if len(tasks) > 1:
            yield Finding("Crash: the job has several tasks, so `Server` needs `task_index=`", event.location)


def _jobs(cluster: Value | None) -> dict[str, list[Value]] | None:
    """The addresses of each job of a cluster, as far as they are written in the program."""
    for spec in objects(cluster):
        cluster = spec.given.get("cluster")
    if not isinstance(cluster, Table) or not cluster.is_told:
        return None
    found: dict[str, list[Value]] = {}
    for key, tasks in cluster.items:
        if not isinstance(key, Const) or not isinstance(tasks, Items) or tasks.open:
            return None
        found[str(key.value)] = list(tasks.items)
    return found or None


def _listed(jobs: Iterable[str]) -> str:
    return " and ".join(f"`{job}`" for job in jobs)


def _placed_nowhere(run: RunView, server: Event) -> Iterator[Finding]:
    for event in run.events("place_variables"):
        none = is_absent(event, "servers") or is_constant(event.operands.get("servers"), 0)
        if none and is_absent(event, "cluster"):
            message = "Wrong result: without `cluster=`, every worker has its own variables and shares none"
            evidence = (Evidence("the server of the cluster starts here", server.location),)
            yield Finding(message, event.location, evidence, help="Pass `cluster=` to the call.")


def _unconnected(run: RunView, server: Event) -> Iterator[Finding]:
    sessions = [event for event in run.events("save") if _is_session(event)]
    if run.has("use_all_devices") or run.exhausted or not all(is_absent(event, "target") for event in sessions):
        return
    is_placed = any(not is_absent(event, "cluster") for event in run.events("place_variables"))
    outcome = "Crash: no device for the operations" if is_placed else "Wrong result: this worker trains alone"
    for event in sessions:
        if event.order > server.order:
            message = f"{outcome}: without `master=server.target` the session is not connected to the cluster"
            evidence = (Evidence("the server starts here", server.location),)
            yield Finding(message, event.location, evidence, help="Pass `master=server.target` to the session.")


def _is_session(event: Event) -> bool:
    return any(made.kind == "context" for made in objects(event.result))
