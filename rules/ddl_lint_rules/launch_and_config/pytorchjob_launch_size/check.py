"""Finds launch lines of PyTorchJobs that do not fit the pods."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Claim,
    Container,
    Evidence,
    Finding,
    JobsView,
    Launch,
    Severity,
    Workload,
    container_of,
    is_loopback,
    removing_option,
    replacing,
)

_LAUNCHERS = ("torchrun", "torch.distributed.launch")
_SHELLS = ("bash", "sh")
_OPERATOR = "an old operator sets the variables of the launcher only if it is elastic"
_NOT_HERE = "the option comes from a variable"


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch and number."""
    for launch in project.launches:
        container = container_of(launch)
        if container is None or container.role is None or container.role.workload.kind != "PyTorchJob":
            continue
        yield from _judged(project, launch, container, container.role.workload)


def _is_preparation(project: JobsView, launch: Launch) -> bool:
    """Whether a later command of the same container starts the processes: this one fetches data, say, before that."""
    text = project.jobs.text_of(launch)
    if text is None:
        return False
    start = launch.location.start
    later = (command for command in text.shell.commands if command.words and command.location.start > start)
    names = (command.words[0].value or "" for command in later)
    return any(
        other.host is launch.host and (other.launcher is not None or other.location.start > start)
        for other in project.launches
    ) or any(name.endswith(".sh") or name.rpartition("/")[2] in _SHELLS for name in names)


def _judged(project: JobsView, launch: Launch, container: Container, workload: Workload) -> Iterable[Finding]:
    counts = [role.replicas for role in workload.roles]
    pods = sum(count or 0 for count in counts) if None not in counts else None
    step = launch.step(*_LAUNCHERS)
    if step is None:
        is_alone = launch.steps[-1].program == "python" and launch.launcher is None
        if is_alone and (container.gpus or 0) > 1 and not _is_preparation(project, launch):
            message = Claim(f"plain `python` uses only one of the {container.gpus} GPUs of each pod", "wasted-work")
            yield Finding(
                message,
                launch.steps[-1].word.location,
                severity=Severity.WARNING,
                help="Start the script with `torchrun`, which starts one process per GPU.",
            )
        return
    role = container.role
    where = role.replicas_place if role is not None else None
    evidence = (Evidence("the number of pods", where),) if where is not None else ()
    nodes = step.number("nodes")
    if nodes is not None and pods is not None and nodes.value != pods and pods > 0:
        consequence = "hang" if nodes.value > pods else "crash"
        message = Claim(f"the launcher expects {nodes.value} nodes, but the job has {pods} pods", consequence)
        place = nodes.written
        fix = (
            replacing(f"Set --nnodes to {pods}", place, str(pods))
            if place is not None and place.end - place.start == len(str(nodes.value))
            else None
        )
        yield Finding(
            message,
            nodes.place,
            evidence,
            fix=fix,
            unfixable="" if fix else "the number is written in a list",
            help=f"Set `--nnodes` to {pods}, or omit it: the operator sets it.",
        )
    processes, gpus = step.number("processes"), container.gpus
    count = processes.value if processes is not None else None
    if processes is not None and gpus is not None and processes.value > gpus > 0:
        yield Finding(
            f"{count} processes in each pod, but it has {gpus} GPUs",
            processes.place,
            unfixable="either may be meant",
            help=f"Set `--nproc_per_node` to {gpus}, or request {count} GPUs.",
            consequence="crash",
        )
    elif processes is not None and gpus is not None and processes.value < gpus:
        message = Claim(f"{count} processes in each pod, but it has {gpus} GPUs", "wasted-work")
        yield Finding(
            message,
            processes.place,
            severity=Severity.WARNING,
            unfixable="either may be meant",
            help=f"Set `--nproc_per_node` to {gpus}, or request {count} GPUs.",
        )
    elif processes is not None and processes.value > 1 and container.no_gpus is not None:
        yield Finding(
            f"{count} processes in each pod, but its limit of GPUs is empty, so it gets none",
            container.no_gpus,
            (Evidence("the processes of each pod", processes.place),),
            unfixable="the number of GPUs is not known",
            help=f"Write `{count}` as the limit.",
            consequence="crash",
        )
    rank, option = step.number("node_rank"), step.role("node_rank")
    if rank is not None and option is not None and role is not None and (role.replicas or 0) > 1:
        message = f"all {role.replicas} pods of the {role.name} have the same `--node_rank`"
        fix = removing_option("Remove `--node_rank`", project, launch, option, _OPERATOR)
        yield Finding(
            message,
            rank.place,
            fix=fix,
            unfixable="" if fix else _NOT_HERE,
            help="Remove `--node_rank`: the operator sets it.",
        )
    address, option = step.text("address"), step.role("address")
    if address is not None and option is not None and is_loopback(address.value) and (pods or 0) > 1:
        fix = removing_option("Remove the address", project, launch, option, _OPERATOR)
        yield Finding(
            f"each of the {pods} pods waits for itself at `{address.value}`",
            address.place,
            fix=fix,
            unfixable="" if fix else _NOT_HERE,
            help="Remove the address: the operator sets it.",
        )
