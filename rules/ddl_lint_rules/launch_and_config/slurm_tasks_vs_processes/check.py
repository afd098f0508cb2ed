"""Finds numbers of tasks, nodes and GPUs of Slurm that do not fit the launcher or the trainer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ddl_lint.rulekit import (
    Claim,
    Const,
    Directives,
    Evidence,
    Finding,
    JobsView,
    Launch,
    Location,
    RunView,
    Setting,
    Step,
    Value,
    directives_of,
    is_certain,
    may_have_more,
    reads_task_count,
    replacing,
    script_options,
)
from ddl_lint.rulekit.events import Delegate

_OF_GPUS = ("gpus_per_node", "gpu_bind", "gres", "gpus")
_TORCH = ("torchrun", "torch.distributed.launch")


class _Trainer(NamedTuple):
    """A trainer that looks at Slurm: the devices of each node and the nodes that it expects, where they are known."""

    devices: _Count
    nodes: _Count
    place: Location


class _Count(NamedTuple):
    """How many a trainer gets: a number, which an option of the command line may set."""

    number: int | None = None
    option: str = ""


def publish(run: RunView) -> Iterable[_Trainer]:
    """The trainers of a script that say how many processes there are."""
    for event in run.events(Delegate) if run.is_launched else ():
        if (event.devices is not None or event.nodes is not None) and is_certain(event):
            nodes = _Count(1) if event.nodes is None else _count(event.nodes)
            yield _Trainer(_count(event.devices), nodes, event.location)


def _count(value: Value | None) -> _Count:
    """A number that the code says, or the option that says it, with the default of that."""
    if isinstance(value, Setting) and value.source == "argument":
        return _Count(_number(value.default), value.name)
    return _Count(_number(value))


def _under(launch: Launch, count: _Count) -> int | None:
    """The number that a launch gives."""
    if not count.option:
        return count.number
    given = script_options(launch)
    if may_have_more(launch):
        return None
    if count.option not in given:
        return count.number
    word = given[count.option]
    return _number(Const(word.value)) if word is not None else None


def _number(value: Value | None) -> int | None:
    """A literal number of at least one."""
    found = value.value if isinstance(value, Const) else None
    if isinstance(found, str) and found.isdigit():
        return int(found) or None
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per batch script, at the directive."""
    reported: set[str] = set()
    for launch in project.launches:
        directives = directives_of(project, launch)
        if directives is None or launch.host.path in reported:
            continue
        found = next(_judged(project, launch, directives), None)
        if found is not None:
            reported.add(launch.host.path)
            yield found


def _judged(project: JobsView, launch: Launch, directives: Directives) -> Iterator[Finding]:
    given = directives.effective
    nodes, tasks, gpus = directives.nodes, directives.tasks_per_node, directives.gpus_per_node
    total = directives.number("ntasks")
    is_whole = given.keys() >= {"ntasks", "ntasks_per_node", "nodes"}
    if is_whole and nodes is not None and tasks is not None and total not in (None, nodes * tasks):
        yield Finding(
            f"{total} tasks are requested, but {nodes} nodes with {tasks} tasks each",
            given["ntasks"].location,
            (Evidence("the tasks per node", given["ntasks_per_node"].location),),
            help="Let `--ntasks` be nodes times tasks per node, or omit it.",
        )
    if (step := launch.step(*_TORCH)) is not None:
        processes, asked = step.number("processes"), step.number("nodes")
        where = given.get("gpus_per_node") or given.get("gres") or given.get("gpus_per_task") or given.get("gpus")
        if processes is not None and gpus is not None and where is not None and processes.value > gpus:
            yield Finding(
                f"{processes.value} processes per node, but Slurm allocates {gpus} GPU{'s' * (gpus != 1)}",
                processes.place,
                (Evidence("the GPUs are requested here", where.location),),
                help=f"Start {gpus} processes per node, or request {processes.value} GPUs.",
            )
        is_given = "nodes" in given
        if asked is not None and is_given and nodes is not None and asked.value not in (nodes, nodes * (tasks or 1)):
            consequence = "hang" if asked.value > nodes else "wasted-work"
            yield Finding(
                Claim(f"the launcher expects {asked.value} nodes, but Slurm allocates {nodes}", consequence),
                asked.place,
                (Evidence("the nodes are requested here", given["nodes"].location),),
                help="Let `--nodes` and the launcher's number of nodes be the same.",
            )
    srun = launch.step("srun")
    if srun is not None and not _chooses_sizes(srun) and launch.launcher is None:
        yield from _trainer(project, launch, directives)


def _chooses_sizes(srun: Step) -> bool:
    """Whether a step of the job may have other nodes or tasks than the job: it says more than which GPUs they see."""
    return srun.is_open or any(option.name not in _OF_GPUS for option in srun.options)


def _trainer(project: JobsView, launch: Launch, directives: Directives) -> Iterable[Finding]:
    """A trainer that compares its own numbers with those of Slurm."""
    given, nodes, tasks = directives.effective, directives.nodes, directives.tasks_per_node
    anchor = given.get("ntasks_per_node") or given.get("ntasks") or given.get("nodes")
    for trainer in project.published(launch, _Trainer):
        devices, wanted, place = _under(launch, trainer.devices), _under(launch, trainer.nodes), trainer.place
        evidence = (Evidence("the trainer is created here", place),)
        if devices is not None and tasks not in (None, devices) and anchor is not None:
            each = given.get("ntasks_per_node")
            is_read = reads_task_count(project, launch)
            reason = "the number of tasks is read by something else" if is_read else "the number of nodes is not known"
            fix = None
            if each is not None and not is_read:
                fix = replacing(f"Run {devices} tasks on each node", each.value_location, str(devices))
            message = f"`devices={devices}`, but Slurm runs {tasks} task{'s' * (tasks != 1)} on each node"
            help = f"Set `--ntasks-per-node={devices}`."
            yield Finding(message, anchor.location, evidence, fix=fix, unfixable="" if fix else reason, help=help)
        elif wanted is not None and "nodes" in given and nodes not in (None, wanted):
            message = f"`num_nodes={wanted}`, but Slurm allocates {nodes} node{'s' * (nodes != 1)}"
            yield Finding(
                message, given["nodes"].location, evidence, help=f"Set `--nodes={wanted}`, or `num_nodes={nodes}`."
            )
        elif "ntasks" in given and "ntasks_per_node" not in given and (directives.number("ntasks") or 1) > 1:
            message = "the trainer needs `--ntasks-per-node`, not `--ntasks`"
            yield Finding(
                message, given["ntasks"].location, evidence, help="Write `--ntasks-per-node` instead of `--ntasks`."
            )
