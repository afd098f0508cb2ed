"""Finds numbers of tasks, nodes and GPUs of Slurm that do not fit the launcher or the trainer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    Value,
    directives_of,
    is_certain,
    number_of,
    reads_task_count,
    replacing,
)

_TORCH = ("torchrun", "torch.distributed.launch")


def publish(run: RunView) -> Iterable[object]:
    """What a trainer that looks at Slurm expects: devices of each node, nodes, and where that is said."""
    for event in run.events("delegate") if run.is_launched else ():
        devices, nodes = _number(event.operands.get("devices")), _number(event.operands.get("nodes"))
        if event.operands.keys() & {"devices", "nodes"} and is_certain(event):
            yield (event.location, devices, 1 if "nodes" not in event.operands else nodes)


def _number(value: Value | None) -> int:
    """A literal number of at least one; 0 for anything else."""
    found = value.value if isinstance(value, Const) else None
    if isinstance(found, str) and found.isdigit():
        return int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per batch script, at the directive."""
    reported: set[str] = set()
    for launch in around.launches:
        directives = directives_of(around, launch)
        if directives is None or launch.host.path in reported:
            continue
        found = next(_judged(around, launch, directives), None)
        if found is not None:
            reported.add(launch.host.path)
            yield found


def _judged(around: JobsView, launch: Launch, directives: Directives) -> Iterator[Finding]:
    given = directives.effective
    nodes, tasks, gpus = directives.nodes, directives.tasks_per_node, directives.gpus_per_node
    total = directives.number("ntasks")
    all_given = given.keys() >= {"ntasks", "ntasks_per_node", "nodes"} and None not in (total, nodes, tasks)
    if all_given and total != (nodes or 0) * (tasks or 0):
        message = f"{total} tasks are requested, but {nodes} nodes with {tasks} tasks each"
        evidence = (Evidence("the tasks per node", given["ntasks_per_node"].location),)
        yield Finding(
            message,
            given["ntasks"].location,
            evidence,
            help="Let `--ntasks` be nodes times tasks per node, or omit it.",
        )
    step = launch.step(*_TORCH)
    if step is not None:
        option = step.role("processes")
        number = number_of(option.value) if option is not None else None
        where = given.get("gpus_per_node") or given.get("gres") or given.get("gpus_per_task") or given.get("gpus")
        if option is not None and number is not None and gpus is not None and where is not None and number > gpus:
            message = f"{number} processes per node, but Slurm allocates {gpus} GPU{'s' * (gpus != 1)}"
            yield Finding(
                message,
                option.location,
                (Evidence("the GPUs are requested here", where.location),),
                help=f"Start {gpus} processes per node, or request {number} GPUs.",
            )
        asked = step.role("nodes")
        count = number_of(asked.value) if asked is not None else None
        if (
            asked is not None
            and count is not None
            and "nodes" in given
            and nodes is not None
            and count not in (nodes, nodes * (tasks or 1))
        ):
            consequence = "hang" if count > nodes else "wasted-work"
            message = Claim(f"the launcher expects {count} nodes, but Slurm allocates {nodes}", consequence)
            yield Finding(
                message,
                asked.location,
                (Evidence("the nodes are requested here", given["nodes"].location),),
                help="Let `--nodes` and the launcher's number of nodes be the same.",
            )
    srun = launch.step("srun")
    if srun is not None and not srun.options and launch.launcher is None:
        yield from _trainer(around, launch, directives)


def _trainer(around: JobsView, launch: Launch, directives: Directives) -> Iterable[Finding]:
    """A trainer that compares its own numbers with those of Slurm."""
    given, nodes, tasks = directives.effective, directives.nodes, directives.tasks_per_node
    anchor = given.get("ntasks_per_node") or given.get("ntasks") or given.get("nodes")
    for fact in around.facts(launch) or ():
        location, devices, wanted = fact  # pyright: ignore
        assert isinstance(location, Location) and isinstance(devices, int) and isinstance(wanted, int)
        evidence = (Evidence("the trainer is created here", location),)
        if devices and tasks is not None and tasks != devices and anchor is not None:
            each = given.get("ntasks_per_node")
            is_read = reads_task_count(around, launch)
            reason = "the number of tasks is read by something else" if is_read else "the number of nodes is not known"
            fix = None
            if each is not None and not is_read:
                fix = replacing(f"Run {devices} tasks on each node", each.value_location, str(devices))
            message = f"`devices={devices}`, but Slurm runs {tasks} task{'s' * (tasks != 1)} on each node"
            help = f"Set `--ntasks-per-node={devices}`."
            yield Finding(message, anchor.location, evidence, fix=fix, unfixable="" if fix else reason, help=help)
        elif wanted and nodes is not None and "nodes" in given and nodes != wanted:
            message = f"`num_nodes={wanted}`, but Slurm allocates {nodes} node{'s' * (nodes != 1)}"
            yield Finding(
                message, given["nodes"].location, evidence, help=f"Set `--nodes={wanted}`, or `num_nodes={nodes}`."
            )
        elif "ntasks" in given and "ntasks_per_node" not in given and (directives.number("ntasks") or 1) > 1:
            message = "the trainer needs `--ntasks-per-node`, not `--ntasks`"
            yield Finding(
                message, given["ntasks"].location, evidence, help="Write `--ntasks-per-node` instead of `--ntasks`."
            )
