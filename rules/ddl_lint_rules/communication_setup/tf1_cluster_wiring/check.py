"""Finds servers of a TensorFlow 1 cluster that do not know who they are, and sessions that do not work with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Apply,
    Claim,
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Items,
    Location,
    RunView,
    Table,
    Value,
    branches,
    excludes,
    follows,
    is_absent,
    is_constant,
    objects,
    with_fix,
)
from ddl_lint.rulekit.events import PlaceVariables, Save, StartServer, UseAllDevices
from ddl_lint_rules.communication_setup.tf1_cluster_wiring.fix import connect, keep_serving, place_on_servers

_WHICH = "which tasks there are, and which one this is, is for you to say"

_ADDRESS = re.compile(r"(?!\w+://).+:\s*\d+\s*")
"""TensorFlow skips blanks around the port."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    servers = run.events(StartServer)
    for event in servers:
        yield from _misfit(event, _jobs(event.cluster))
    if servers:
        yield from _placed_nowhere(run, servers[0])
        yield from _unconnected(run, servers[0])
        yield from _unattended(run, servers)


def _misfit(event: StartServer, jobs: dict[str, list[Value]] | None) -> Iterator[Finding]:
    """What the constructor of the server refuses."""
    seen: set[object] = set()
    for job, addresses in (jobs or {}).items():
        for address in addresses:
            if isinstance(address, Const) and isinstance(address.value, str) and not _ADDRESS.fullmatch(address.value):
                message = f'"{address.value}" of job `{job}` is not an address of the form `host:port`'
                yield Finding(message, address.location or event.location, unfixable=_WHICH)
                return
            if isinstance(address, Const) and address.value in seen:
                message = Claim(f'"{address.value}" is in the cluster twice; only one of the two tasks answers', "hang")
                yield Finding(message, address.location or event.location, unfixable=_WHICH)
                return
            seen.add(address.value if isinstance(address, Const) else address)
    if jobs is None:
        return
    job = event.job
    if is_absent(event, "job") and len(jobs) > 1:
        yield Finding("the cluster has several jobs, so `Server` needs `job_name=`", event.location, unfixable=_WHICH)
    elif isinstance(job, Const) and isinstance(job.value, str) and job.value not in jobs:
        yield Finding(f"the cluster has no job `{job.value}`, only {_listed(jobs)}", event.location, unfixable=_WHICH)
    elif is_absent(event, "index"):
        own = jobs.get(str(job.value)) if isinstance(job, Const) and job.value is not None else None
        tasks = own if own is not None else max(jobs.values(), key=len) if len(jobs) == 1 else []
        if len(tasks) > 1:
            yield Finding(
                "the job has several tasks, so `Server` needs `task_index=`", event.location, unfixable=_WHICH
            )


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
    for event in run.events(PlaceVariables):
        none = is_absent(event, "servers") or is_constant(event.servers, 0)
        if none and is_absent(event, "cluster"):
            message = Claim("without `cluster=`, every worker has its own variables and shares none", "wrong-result")
            evidence = (Evidence("the server of the cluster starts here", server.location),)
            finding = Finding(message, event.location, evidence, help="Pass `cluster=` to the call.")
            yield with_fix(finding, place_on_servers, run, event, server)


def _unconnected(run: RunView, server: Event) -> Iterator[Finding]:
    sessions = sorted(_sessions(run), key=lambda event: event.order)
    if run.exhausted or not all(is_absent(event, "target") for event in sessions):
        return  # one that works with the server may be beside others for a look
    placed = [event for event in run.events(PlaceVariables) if not is_absent(event, "cluster")]
    outcome = "no device for the operations" if placed else "this worker trains alone"
    for event in sessions:
        if placed and not any(_may_come_first(each, event) for each in placed):
            continue  # what it runs is not placed on the servers
        if event.order > server.order and follows(server, event):
            message = f"{outcome}: without `master=server.target` the session is not connected to the cluster"
            evidence = (Evidence("the server starts here", server.location),)
            advice = "Pass `master=server.target` to the session."
            consequence = "crash" if placed else "wrong-result"
            finding = Finding(message, event.location, evidence, help=advice, consequence=consequence)
            yield with_fix(finding, connect, run, event, server)


def _may_come_first(first: Event, second: Event) -> bool:
    return first.order < second.order and not excludes(first.context, second.context)


def _sessions(run: RunView) -> Iterator[Save | UseAllDevices]:
    for event in run.events(Save, UseAllDevices):
        if any(made.kind == "context" for made in objects(event.result)):
            yield event


def _unattended(run: RunView, servers: list[StartServer]) -> Iterator[Finding]:
    """A parameter server that ends at once: nothing keeps its process alive."""
    if not run.is_script or run.exhausted or run.provides("serving"):
        return
    for server in servers:
        job = server.job
        if any(run.heap.is_escaped(made) for made in objects(server.result)):
            continue
        choice = next((node for node in _choices(run) if job is not None and _is_server(node, job)), None)
        if choice is not None and not any(_is_kept(event, choice) for event in _sessions(run)):
            message = Claim(
                "the parameter server exits without `server.join()`; the workers wait for it forever", "hang"
            )
            evidence = (Evidence("the server starts here", server.location),)
            advice = "Call `server.join()` on the parameter servers."
            finding = Finding(message, choice.location, evidence, help=advice)
            yield with_fix(finding, keep_serving, run, server, choice)
            return


def _choices(run: RunView) -> Iterator[Context]:
    """The conditions under which something happens."""
    seen: set[Location] = set()
    for event in run.run.events:
        for node in branches(event.context):
            if node.location not in seen:
                seen.add(node.location)
                yield node


def _is_server(node: Context, job: Value) -> bool:
    """Whether a condition asks whether this process is a parameter server."""
    asked = node.value
    return isinstance(asked, Apply) and asked.operator in ("==", "!=") and set(asked.operands) == {job, Const("ps")}


def _is_kept(event: Event, choice: Context) -> bool:
    """Whether something happens on the side of the servers: a session may wait for the workers' word."""
    arms = (node.arm for node in branches(event.context) if node.location == choice.location)
    asked = choice.value
    return any(arm == (isinstance(asked, Apply) and asked.operator == "==") for arm in arms)
