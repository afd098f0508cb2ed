"""Finds MPI launches whose number of processes does not fit the slots."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Claim,
    Evidence,
    Finding,
    Fix,
    JobsView,
    Known,
    Launch,
    Severity,
    Workload,
    container_of,
    hosts_of,
    replacing,
    tree,
)

_LOCAL = ("localhost", "127.0.0.1")
_SPREADS = ("ppr", "oversubscribe")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the number of processes."""
    for launch in project.launches:
        step = launch.step("mpirun", "horovodrun")
        processes = step.number("all_processes") if step is not None else None
        if step is None or processes is None or step.is_open or launch.entry is None or _is_free(launch):
            continue
        container = container_of(launch)
        if container is not None and container.role is not None and container.role.workload.kind == "MPIJob":
            yield from _operator(container.role.workload, processes)
            continue
        hosts = hosts_of(launch)
        if hosts is None or (step.program == "horovodrun" and None in hosts.values()):
            continue
        slots = sum(1 if each is None else each for each in hosts.values())
        if processes.value > slots:
            place = step.role("hosts")
            evidence = (Evidence(f"{slots} slots", place.location),) if place is not None else ()
            yield Finding(
                f"{processes.value} processes are requested, but the hosts have {slots} slots",
                processes.place,
                evidence,
                fix=_fix(processes, slots),
                help=f"Request at most {slots} processes, or give the hosts more slots.",
            )


def _is_free(launch: Launch) -> bool:
    """Whether more processes than slots are allowed, or the number of hosts may change."""
    step = launch.step("mpirun", "horovodrun")
    if step is None:
        return True
    if any(step.given(name) for name in ("oversubscribe", "min_num_proc", "host_discovery_script", "ppn", "perhost")):
        return True
    for option in step.options:
        texts = [each.value or "" for each in (option.value, option.extra) if each is not None]
        if any(word in text.lower() for text in texts for word in _SPREADS):
            return True
    return False


def _operator(workload: Workload, processes: Known[int]) -> Iterable[Finding]:
    """An MPIJob: the operator makes a slot list of its workers."""
    slots_node = tree.member(workload.root, "spec", "slotsPerWorker")
    each = tree.number(slots_node.value) if slots_node is not None else 1
    worker = next((role for role in workload.roles if role.name == "Worker"), None)
    if worker is None or worker.replicas is None or each is None:
        return
    slots, number = each * worker.replicas, processes.value
    if number == slots:
        return
    places = [(f"{each} slots per worker", workload.file.place(slots_node))] if slots_node is not None else []
    if worker.replicas_place is not None:
        places.append((f"{worker.replicas} workers", worker.replicas_place))
    evidence = tuple(Evidence(message, place) for message, place in places)
    if number > slots:
        message = f"{number} processes are requested, but the workers have {slots} slots"
        yield Finding(
            message,
            processes.written or processes.place,
            evidence,
            fix=_fix(processes, slots),
            help=f"Request {slots} processes, or raise `slotsPerWorker` or the number of workers.",
        )
    else:
        message = Claim(f"{number} processes are requested, but the workers have {slots} slots", "wasted-work")
        yield Finding(
            message,
            processes.written or processes.place,
            evidence,
            severity=Severity.WARNING,
            unfixable=("fewer processes may be meant"),
            help=f"Request {slots} processes, or lower `slotsPerWorker` or the number of workers.",
        )


def _fix(processes: Known[int], slots: int) -> Fix:
    place = processes.written or processes.place
    quoted = place.end - place.start == len(str(processes.value)) + 2
    return replacing(
        f"Start {slots} processes", place, f'"{slots}"' if quoted else str(slots), "more slots may be meant"
    )
