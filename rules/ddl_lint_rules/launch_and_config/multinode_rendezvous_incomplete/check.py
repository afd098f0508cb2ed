"""Finds launches on several nodes that leave out what the nodes need to find each other, or that run on one of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from ddl_lint.rulekit import Evidence, Finding, JobsView, Launch, Option, Step, container_of, directives_of

_STATIC = ("", "static")
_TORCH = ("torchrun", "torch.distributed.launch")
_PER_NODE = ("srun", "mpirun", "pdsh", "ssh")
_STARTING = (*_PER_NODE, "mpiexec", "clush", "dsh", "pssh", "parallel-ssh", "parallel", "blaunch", "prun")
"""What may run a command, or a whole batch script, on each node."""


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at its command."""
    for launch in project.launches:
        yield from _on_first_node(project, launch)
        step = launch.step(*_TORCH)
        if step is None or step.is_open:
            continue
        nodes = step.number("nodes")
        if nodes is None or nodes.value < 2 or _is_set_by_operator(launch):
            continue
        fault = _fault(launch, step, nodes.value)
        if fault is not None:
            message, advice = fault
            evidence = Evidence(f"{nodes.value} nodes are requested here", nodes.place)
            yield Finding(message, step.word.location, (evidence,), help=advice)


def _on_first_node(project: JobsView, launch: Launch) -> Iterable[Finding]:
    """A launcher that waits for all nodes of a batch job, of which the batch script runs it on the first one only."""
    step, directives = launch.step(*_TORCH, "accelerate"), directives_of(project, launch)
    asked = step.number("nodes") if step is not None else None
    if step is None or directives is None or asked is None or asked.value < 2 or directives.nodes != asked.value:
        return
    before = takewhile(lambda word: word.location != step.word.location, launch.command.words)
    if any(word.value is None for word in before):
        return  # what is in front of it may be `srun`
    if launch.command.in_background or launch.command.is_repeated or launch.command.per_task is not None:
        return
    if any(each.program in _STARTING for each in launch.all_steps) or not _is_of_slurm(step.role("node_rank")):
        return
    if not _is_started_by_others(project, launch):
        yield Finding(
            f"the batch script runs on the first of {asked.value} nodes, so this waits for the others without end",
            step.word.location,
            (Evidence(f"{asked.value} nodes are requested here", directives.effective["nodes"].location),),
            help="Start it with `srun`, one task per node, and take the rank of the node from `SLURM_NODEID` there.",
        )


def _is_of_slurm(rank: Option | None) -> bool:
    """Whether the number of the node is not one that somebody gives on each node by hand."""
    if rank is None or rank.value is None or rank.value.value is not None:
        return True
    return "SLURM_" in rank.value.source


def _is_started_by_others(project: JobsView, launch: Launch) -> bool:
    """Whether a command of the project may run the batch script on each node; its own name there is `$0`."""
    name = launch.host.path.rpartition("/")[2]
    return any(
        command.words[0].value in _STARTING
        and any(name in word.source or _SELF in word.source for word in command.words)
        for text in project.jobs.texts
        for command in text.shell.commands
        if command.words
    )


_SELF = "$0"

_OWN_RANK = "Pass `--node_rank` with a different number on each node, or use `--rdzv_backend=c10d`."


def _fault(launch: Launch, step: Step, nodes: int) -> tuple[str, str] | None:
    """What is wrong, and what to do about it."""
    single = step.role("single_node")
    if single is not None:
        message = f"`--standalone` lets each node meet only itself, but it waits for all {nodes} nodes"
        return message, "Replace `--standalone` by `--rdzv_backend=c10d --rdzv_endpoint=HOST:PORT`."
    backend = _text(step.role("backend"))
    rank = step.role("node_rank")
    if backend is None:
        return None
    if backend in _STATIC:
        if rank is None and launch.command.environment("PET_NODE_RANK") is None:
            glued = _glued(step)
            if glued:
                message = f"`{glued}` is glued to another option and ignored, so every node is node 0"
                return message, f"Write a blank before `{glued}`."
            message = f"without `--node_rank` each of {nodes} nodes registers as node 0; the job never starts"
            return message, _OWN_RANK
    elif step.role("endpoint") is None and launch.command.environment("PET_RDZV_ENDPOINT") is None:
        message = f"`--rdzv_backend={backend}` without `--rdzv_endpoint`: {nodes} nodes have no place to meet"
        return message, "Add `--rdzv_endpoint=HOST:PORT`, with the address of the first node."
    fixed = rank.text.value if rank is not None and rank.text is not None else None
    if fixed in ("0", "1") and backend in _STATIC and any(each.program in _PER_NODE for each in launch.all_steps):
        return f"each of {nodes} nodes gets `--node_rank={fixed}`", _OWN_RANK
    return None


def _text(option: Option | None) -> str | None:
    """The text of an option; empty if it is not given, None if it is not known."""
    if option is None or option.value is None:
        return ""
    return option.value.value


def _glued(step: Step) -> str:
    """An option that is written into the value of another: a blank is missing before it."""
    for option in step.options:
        value = option.value
        for part in value.parts if value is not None else ():
            at = (part.text or "").find("--")
            if at >= 0 and "=" in (part.text or "")[at:]:
                return (part.text or "")[at:].partition("=")[0]
    return ""


def _is_set_by_operator(launch: Launch) -> bool:
    """Whether the operator of a cluster sets what is missing, by variables of torchrun's own."""
    container = container_of(launch)
    if container is not None and container.kind == "kubernetes":
        return True
    return launch.command.environment("PET_NNODES") is not None
