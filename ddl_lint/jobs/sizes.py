"""How large the job of a launch is: nodes, processes on each of them, and all processes; what is not known, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ddl_lint.jobs import tree
from ddl_lint.jobs.containers import Container, Workload
from ddl_lint.jobs.engines import settings_of
from ddl_lint.jobs.hosts import host_file, included_devices, listed_hosts
from ddl_lint.jobs.job import JobPart
from ddl_lint.jobs.launch import Launch, Option, number_of
from ddl_lint.jobs.project_jobs import Jobs, JobText
from ddl_lint.jobs.slurm import Directives

_TORCH = ("torchrun", "torch.distributed.launch")
_OF_OPERATOR = re.compile(r"\$[{(]?(?:PET_NNODES|WORLD_SIZE)\b")
"""The variables by which the operator tells the pods of a PyTorchJob how many they are."""


@dataclass(frozen=True)
class Sizes:
    """The size of a job."""

    nodes: JobPart[int] = field(default_factory=lambda: JobPart[int]())
    processes: JobPart[int] = field(default_factory=lambda: JobPart[int]())
    """On each node."""

    world_size: JobPart[int] = field(default_factory=lambda: JobPart[int]())


def sizes_of(launch: Launch, jobs: Jobs) -> Sizes:
    """The size of what a launch starts, by its launcher, the launcher's settings, its hosts, Slurm or Kubernetes."""
    return jobs.once(_sizes, launch, jobs)


def configured(launch: Launch, jobs: Jobs, key: str) -> tree.Node | None:
    """What the settings of the launcher say under a key."""
    file = settings_of(launch, jobs)
    return tree.value(file.roots[0], key) if file is not None and len(file.roots) == 1 else None


def on_several_nodes(launch: Launch, jobs: Jobs) -> bool:
    """Whether a launch is for more than one node, or for a number of them that is not known."""
    for step in (launch.launcher, launch.step("srun")):
        option = step.role("nodes") if step is not None else None
        if option is not None:
            return number_of(option.value) not in (0, 1)
    machines = tree.number(configured(launch, jobs, "num_machines"))
    if machines is not None:
        return machines > 1
    text = jobs.text_of(launch)
    return text is not None and directed_nodes(text)


def directed_nodes(text: JobText) -> bool:
    """Whether the directives of a batch script ask for more than one node, or for a number that is not known."""
    directives = text.directives
    return directives is not None and "nodes" in directives.effective and directives.nodes != 1


def _sizes(launch: Launch, jobs: Jobs) -> Sizes:
    return _OfSlurm(launch, jobs).sizes() if launch.launcher is None else _OfLauncher(launch, jobs).sizes()


class _OfLauncher:
    """The size of what a launcher starts."""

    def __init__(self, launch: Launch, jobs: Jobs) -> None:
        self._launch, self._jobs = launch, jobs
        step = launch.launcher
        self._step = step
        self._options: Mapping[str, Option | None] = (
            {role: step.role(role) for role in ("nodes", "processes", "all_processes", "hosts_file")} if step else {}
        )
        listed = listed_hosts(launch)
        self._hosts = listed if listed is not None else host_file(launch, jobs)
        self._included = included_devices(launch)

    def sizes(self) -> Sizes:
        """Nodes, processes of each, and all of them, each from what is known of the others where it is not written."""
        total, each, nodes = self._all(), self._each(), self._nodes()
        if (
            total.value is None
            and not self._options["all_processes"]
            and nodes.value is not None
            and each.value is not None
        ):
            total = JobPart(nodes.value * each.value, nodes.place or each.place)
        if total.value is None and (launched := self._launch.world_size) is not None and not self._hosts:
            total = JobPart(launched)  # torchrun on each of several nodes starts a job of its own
        if each.value is None and total.value is not None and nodes.value and total.value % nodes.value == 0:
            each = JobPart(total.value // nodes.value)
        if total.value is not None and nodes.value is not None and total.value < nodes.value:
            nodes = JobPart[int](how="fewer processes than hosts")
        return Sizes(nodes, each, total)

    def _written(self, role: str) -> JobPart[int] | None:
        """The number that an option for a role gives; None without the option."""
        option = self._options[role]
        if option is None:
            return None
        number = number_of(option.value)
        written = option.value.source if option.value is not None else ""
        return JobPart(number, option.location, "" if number is not None else f"{option.spelling} is `{written}`")

    def _nodes(self) -> JobPart[int]:
        told = self._written("nodes")
        if told is not None:
            return told if told.value is not None else self._pods(told)
        machines = configured(self._launch, self._jobs, "num_machines")
        if (number := tree.number(machines)) is not None:
            return JobPart(number)
        if self._included is not None:
            return JobPart(len(self._included))
        if self._hosts is not None:
            return self._nodes_of_hosts(self._hosts)
        if self._options["hosts_file"] is not None:
            return JobPart(how=f"the file of `{self._options['hosts_file'].spelling}` is not found in the project")
        workload = self._workload()
        if workload is not None and workload.kind == "MPIJob":
            worker = next((role for role in workload.roles if role.name == "Worker"), None)
            return JobPart(worker.replicas if worker is not None else None)
        nodes = self._launch.nodes
        if nodes == 1 and workload is not None and workload.kind == "PyTorchJob" and _pods_of(workload) != 1:
            return JobPart(how="the operator may tell the launcher how many pods there are")
        if nodes == 1 and on_several_nodes(self._launch, self._jobs):
            return JobPart(how="the batch script has several nodes, and the launcher has no option for them")
        return JobPart(nodes)

    def _nodes_of_hosts(self, hosts: list[tuple[str, int | None]]) -> JobPart[int]:
        total, names = self._all().value, {host for host, _ in hosts}
        slots = [1 if number is None else number for _, number in hosts]
        is_filled = total is None or self._step is None or self._step.program == "deepspeed" or total == sum(slots)
        return JobPart(len(names)) if is_filled else JobPart(how="not all slots of the hosts are used")

    def _each(self) -> JobPart[int]:
        told = self._written("processes")
        if told is not None:
            return told
        if self._included:
            counts = set(self._included.values())
            return (
                JobPart(counts.pop())
                if len(counts) == 1
                else JobPart(how="the hosts have different numbers of devices")
            )
        if self._hosts and self._step is not None and self._step.program == "deepspeed":
            slots = {number for _, number in self._hosts}
            return JobPart(slots.pop()) if len(slots) == 1 else JobPart(how="the hosts have different numbers of slots")
        if self._step is not None and self._step.program in _TORCH and not self._step.is_open:
            return JobPart(1)
        if self._step is not None and self._step.program == "deepspeed":
            return JobPart(how="one process for each GPU, and nothing says how many there are")
        return JobPart()

    def _all(self) -> JobPart[int]:
        told = self._written("all_processes")
        if told is not None:
            return told
        if self._step is None or self._step.is_open:
            return JobPart(how=f"`{self._step.program}` may get more options from a variable" if self._step else "")
        if self._options["processes"] is None:
            number = tree.number(configured(self._launch, self._jobs, "num_processes"))
            if number is not None and (number != 1 or not on_several_nodes(self._launch, self._jobs)):
                return JobPart(number)
            if self._included:
                return JobPart(sum(self._included.values()))
            slots = [number for _, number in self._hosts or ()]
            is_mpi = self._step.program == "mpirun"
            if slots and not self._options["nodes"] and (is_mpi or self._step.program == "deepspeed"):
                known = [1 if number is None and is_mpi else number for number in slots]
                numbers = [number for number in known if number is not None]
                return JobPart(sum(numbers)) if len(numbers) == len(known) else JobPart()
            workload = self._workload()
            if is_mpi and workload is not None and workload.kind == "MPIJob":
                each = tree.value(workload.root, "spec", "slotsPerWorker")
                slots_of_each = tree.number(each) if each is not None else 1
                worker = next((role for role in workload.roles if role.name == "Worker"), None)
                if worker is not None and worker.replicas is not None and slots_of_each is not None:
                    return JobPart(worker.replicas * slots_of_each)
        return JobPart()

    def _workload(self) -> Workload | None:
        about = self._launch.host.about
        return about.role.workload if isinstance(about, Container) and about.role is not None else None

    def _pods(self, told: JobPart[int]) -> JobPart[int]:
        """The number of pods, where the option has the variable in which the operator hands it over."""
        workload, option = self._workload(), self._options["nodes"]
        source = option.value.source if option is not None and option.value is not None else ""
        if workload is None or workload.kind != "PyTorchJob" or not _OF_OPERATOR.search(source):
            return told
        is_plain = tree.value(workload.root, "spec", "elasticPolicy") is None
        many = tree.value(workload.root, "spec", "nprocPerNode") is not None and "WORLD_SIZE" in source
        return JobPart(_pods_of(workload), told.place) if is_plain and not many else told


def _pods_of(workload: Workload) -> int | None:
    counts = [role.replicas for role in workload.roles]
    return sum(count for count in counts if count is not None) if None not in counts else None


_OF_SIZE = ("nodes", "ntasks", "ntasks_per_node")
_MAY_RESIZE = ("ntasks_per_gpu", "tasks_per_node", "relative", "nodelist", "exclude", "multi_prog", "het_group")
"""Options of a step beside those of its size on which the number of its tasks depends."""


class _OfSlurm:
    """The size of a step of Slurm that starts a script itself, by its options and the directives around it."""

    def __init__(self, launch: Launch, jobs: Jobs) -> None:
        text = jobs.text_of(launch)
        self._directives: Directives | None = text.directives if text is not None else None
        self._step = launch.step("srun")

    def sizes(self) -> Sizes:
        """What is known of it."""
        step, directives = self._step, self._directives
        if step is None:
            return Sizes()
        if step.is_open:
            return _unknown("`srun` may get more options from a variable")
        if directives is not None and not directives.is_plain:
            return _unknown("the directives of the batch script contradict each other")
        resizing = next((name for name in _MAY_RESIZE if step.given(name) is not None), None)
        if resizing is not None:
            return _unknown(f"the number of tasks depends on `--{resizing.replace('_', '-')}`")
        given = {name: number_of(option.value) for name in _OF_SIZE if (option := step.given(name)) is not None}
        if None in given.values():
            name = next(name for name, number in given.items() if number is None)
            return _unknown(f"--{name.replace('_', '-')} is not known")
        is_counted = bool({"ntasks", "ntasks_per_node"} & given.keys()) or (
            directives is not None and "ntasks" in directives.effective
        )
        if step.given("gpus_per_task") is not None and not is_counted:
            return _unknown("the number of tasks depends on `--gpus-per-task`")
        if directives is None:
            return self._alone(given)
        return self._in_batch(given, directives)

    def _alone(self, given: Mapping[str, int | None]) -> Sizes:
        """Without directives: the allocation may be of any size, and the step has what its options say."""
        total, nodes, each = given.get("ntasks"), given.get("nodes"), given.get("ntasks_per_node")
        if nodes is None and total is not None and each and total % each == 0:
            nodes = total // each
        if total is None and nodes is not None and each is not None:
            total = nodes * each
        if each is None and total is not None and nodes and total % nodes == 0:
            each = total // nodes
        why = "the line does not say it, and there are no directives"
        return Sizes(_or(nodes, why), _or(each, why), _or(total, why))

    def _in_batch(self, given: Mapping[str, int | None], directives: Directives) -> Sizes:
        nodes, each = given.get("nodes", directives.nodes), given.get("ntasks_per_node")
        total = given.get("ntasks")
        if total is not None and each is not None and nodes is not None and nodes * each != total:
            return Sizes(
                _or(None, "it has fewer tasks than fit"), _or(None, "it has fewer tasks than fit"), JobPart(total)
            )
        if each is None and total is not None and nodes:
            each = total // nodes if total % nodes == 0 else None
        elif each is None:
            each = directives.tasks_per_node if "nodes" not in given else None
        if total is None and nodes is not None and each is not None:
            total = nodes * each
        if total is None and "nodes" not in given and "ntasks_per_node" not in given:
            total = directives.number("ntasks")
        why = "neither the line nor the directives say it"
        return Sizes(_or(nodes, why), _or(each, why), _or(total, why))


def _or(number: int | None, why: str) -> JobPart[int]:
    return JobPart(number, how="" if number is not None else why)


def _unknown(why: str) -> Sizes:
    return Sizes(JobPart(how=why), JobPart(how=why), JobPart(how=why))
