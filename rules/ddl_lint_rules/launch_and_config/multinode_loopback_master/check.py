"""Finds loopback addresses in launches on several nodes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Launch,
    Location,
    accelerate_config,
    address_of,
    host_part,
    is_loopback,
    nodes_of,
)

_INTERFACES = ("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME")


_FIRST = "Use the address of the first node on all nodes."
_SLURM = (
    "Use the address of the first node on all nodes: "
    '`export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)`.'
)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the address."""
    for launch in project.launches:
        nodes = nodes_of(project, launch)
        if nodes is None or nodes.value < 2 or _is_first_node(launch) or _is_imitated(project, launch):
            continue
        evidence = (Evidence(f"the job has {nodes.value} nodes", nodes.place),)
        found = _address(project, launch)
        if found is not None:
            text, place = found
            message = f"each of {nodes.value} nodes takes `{text}` for itself, so they never meet"
            yield Finding(message, place, evidence, help=_SLURM if launch.step("srun") is not None else _FIRST)
        for name in _INTERFACES:
            word = launch.command.environment(name)
            if word is not None and (word.value or "").lstrip("=") == "lo":
                message = f"`{name}=lo` lets each of {nodes.value} nodes only talk to itself"
                yield Finding(
                    message,
                    word.location,
                    evidence,
                    help="Name the interface that connects the nodes, or omit the variable.",
                )


def _address(project: JobsView, launch: Launch) -> tuple[str, Location] | None:
    found = address_of(launch)
    if found is None:
        file = accelerate_config(project, launch)
        named = file.string("main_process_ip") if file is not None else None
        return (named.value, named.place) if named is not None and is_loopback(named.value) else None
    word, place = found
    if word.is_default:
        return None
    text = host_part(word.value or "")
    return (text, place) if is_loopback(text) else None


def _is_first_node(launch: Launch) -> bool:
    """Whether the line is that of the node at whose address the others meet, or the range of nodes begins with one."""
    launcher = launch.launcher
    rank = launcher.text("node_rank") if launcher is not None else None
    return rank is not None and rank.value == "0"


def _is_imitated(project: JobsView, launch: Launch) -> bool:
    """Whether several launches in one file, or in files beside it, act as the nodes of a job on one machine."""
    text = project.jobs.text_of(launch)
    launcher = launch.launcher
    if launcher is None or text is None:
        return False
    ranks = {
        rank.value.value
        for other in project.launches
        if PurePath(other.host.path).parent == PurePath(launch.host.path).parent
        and other.script == launch.script
        and other.launcher is not None
        if (rank := other.launcher.role("node_rank")) is not None and rank.value is not None
    }
    return len(ranks) > 1 or launch.command.is_repeated
