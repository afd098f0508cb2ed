"""What rules ask of a launch: how many nodes, which devices, which address; as far as the files around it tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.jobs import tree
from ddl_lint.jobs.containers import Container
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.hosts import hosts_of
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.launch import Launch
from ddl_lint.jobs.slurm import Directives
from ddl_lint.jobs.words import Word
from ddl_lint.source.known import Known
from ddl_lint.source.nodes import Node, Scalar
from ddl_lint.source.span import Location

_DEVICE = re.compile(r"\d+|(?:GPU|MIG)-[\w-]+")
_TASK_COUNTS = re.compile(r"\bSLURM_(?:NTASKS\w*|NPROCS|TASKS_PER_NODE|STEP_NUM_TASKS|STEP_TASKS_PER_NODE)\b")
"""The variables by which Slurm tells how many tasks there are."""

_SLURM_VARIABLE = re.compile(r"\bSLURM_[A-Z]+")

_LOOPBACK = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1|\[::1\]|0\.0\.0\.0")


def directives_of(project: JobsView, launch: Launch) -> Directives | None:
    """The directives of the batch script that holds a launch, if it has one job and each is given once."""
    text = project.jobs.text_of(launch)
    found = text.directives if text is not None else None
    return found if found is not None and found.is_plain else None


def reads_task_count(project: JobsView, launch: Launch) -> bool:
    """Whether a launch file, or a program of the project, reads how many tasks Slurm runs: it may mean something else
    by that number, which then must stay.
    """
    texts = (project.jobs.read(script) for script in project.jobs.scripts)
    own = project.jobs.launch_file(launch.host.path).text
    return _TASK_COUNTS.search(own) is not None or any(_TASK_COUNTS.search(text) for text in texts if text)


def is_under_slurm(project: JobsView, launch: Launch) -> bool:
    """Whether a launch is part of a job of Slurm: its file has directives or reads what Slurm tells a job, or another
    file or page hands it to Slurm.
    """
    text = project.jobs.text_of(launch)
    if text is not None and text.directives is not None:
        return True
    path = launch.host.path
    if launch.step("srun") is not None or _SLURM_VARIABLE.search(project.jobs.launch_file(path).text):
        return True
    submits = re.compile(rf"\b(?:sbatch|salloc)\b[^\n]*(?<![\w-]){re.escape(path.rpartition('/')[2])}\b")
    texts = (*project.jobs.pages.values(), *(file.text for file in project.jobs.files.values()))
    return any(submits.search(each) is not None for each in texts)


def accelerate_config(project: JobsView, launch: Launch) -> JobFile | None:
    """The configuration that an `accelerate launch` line names, if it is in the project."""
    step = launch.step("accelerate")
    option = step.role("config") if step is not None else None
    if option is None:
        return project.jobs.of_account.get(step.program) if step is not None else None
    return project.jobs.given_file(option.value, launch)


def configured(file: JobFile | None, key: str) -> Node | None:
    """What a configuration says under a key at its top."""
    return tree.value(file.roots[0], key) if file is not None and len(file.roots) == 1 else None


def nodes_of(project: JobsView, launch: Launch) -> Known[int] | None:
    """On how many nodes the job runs, where it is known: by the launcher, its configuration, Slurm or Kubernetes."""
    launcher = launch.launcher
    option = launcher.role("nodes") if launcher is not None else None
    if option is not None:
        return option.number
    file = accelerate_config(project, launch)
    machines = file.number("num_machines") if file is not None else None
    if machines is not None:
        return machines
    hosts = hosts_of(launch)
    if hosts is not None:
        return Known(len(hosts), launch.location)
    directives = directives_of(project, launch)
    if directives is not None and launch.step("srun") is not None:
        step = launch.step("srun")
        own = step.role("nodes") if step is not None else None
        if own is not None:
            return own.number
        found = directives.effective.get("nodes")
        if found is not None and directives.nodes is not None:
            return Known(directives.nodes, found.location)
    return None


def is_loopback(text: str) -> bool:
    """Whether an address is that of the machine itself."""
    return _LOOPBACK.fullmatch(text) is not None


def address_of(launch: Launch) -> tuple[Word, Location] | None:
    """The address at which the processes meet, as a launch line or its environment gives it, without a port."""
    launcher = launch.launcher
    if launcher is None:
        return None
    endpoint = launcher.role("endpoint")
    if endpoint is not None and endpoint.value is not None:
        return endpoint.value, endpoint.location
    option = launcher.role("address")
    if option is not None and option.value is not None:
        return option.value, option.location
    word = launch.command.environment("MASTER_ADDR")
    if word is not None and launcher.program not in ("torchrun", "torch.distributed.launch"):
        return word, word.location
    return None


def host_part(text: str) -> str:
    """An address without its port."""
    host, colon, port = text.rpartition(":")
    return host if colon and port.isdigit() and host.count(":") == 0 else text


def lists_devices(launch: Launch) -> bool:
    """Whether the environment of a launch says which devices it may use, be they known or not."""
    return any(launch.command.environment(name) is not None for name in facts("environment")["devices"])


def visible_devices(launch: Launch) -> tuple[list[str], Word, str] | None:
    """The devices that a launch may use, as a list in its environment says: them, where, and the variable."""
    for name in facts("environment")["devices"]:
        word = launch.command.environment(name)
        if word is None:
            continue
        value = word.value
        if value is None:
            return None
        devices = [each.strip() for each in value.split(",")]
        return (devices, word, name) if all(map(_DEVICE.fullmatch, devices)) else None
    return None


def container_of(launch: Launch) -> Container | None:
    """The container that runs a launch, if a configuration describes it."""
    about = launch.host.about
    return about if isinstance(about, Container) else None


def container_options(launch: Launch) -> list[str] | None:
    """The options of `docker run` around a launch, as words; None without it, or where some of them are not known."""
    step = launch.step("docker", "nvidia-docker", "podman")
    if step is None:
        return None
    values = [word.value for word in step.words]
    return [value for value in values if value is not None] if None not in values else None


def scalars(node: Node) -> Iterator[Scalar]:
    """All single values below a node."""
    if isinstance(node, Scalar):
        yield node
    for each in tree.members(node):
        yield from scalars(each.value)
    for item in tree.items(node):
        yield from scalars(item)
