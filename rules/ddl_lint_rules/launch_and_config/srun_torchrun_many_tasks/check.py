"""Finds launchers that Slurm starts several times on a node."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Directives,
    Evidence,
    Finding,
    JobsView,
    Launch,
    Location,
    Step,
    directives_of,
    number_of,
    reads_task_count,
    replacing,
)

_FORKING = ("torchrun", "torch.distributed.launch", "accelerate", "deepspeed")


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the number of tasks."""
    for launch in around.launches:
        step, srun = launch.step(*_FORKING), launch.step("srun")
        if step is None or srun is None or srun.is_open or _processes(launch, step) == 1:
            continue
        found = _tasks(srun, directives_of(around, launch))
        if found is None:
            continue
        tasks, place, number = found
        if tasks > 1:
            is_read = number is not None and reads_task_count(around, launch)
            fix = replacing("Run one task on each node", number, "1") if number is not None and not is_read else None
            reason = "the number of tasks is read by something else" if is_read else "the number of nodes is not known"
            yield Finding(
                f"srun starts `{step.program}` {tasks} times per node, and each starts all processes",
                place,
                (Evidence("the launcher is started here", step.word.location),),
                fix=fix,
                unfixable="" if fix else reason,
            )


def _processes(launch: Launch, step: Step) -> int | None:
    del launch
    option = step.role("processes") or step.role("all_processes")
    if option is None and step.program in ("torchrun", "torch.distributed.launch") and not step.is_open:
        return 1
    return number_of(option.value) if option is not None else None


def _tasks(srun: Step, directives: Directives | None) -> tuple[int, Location, Location | None] | None:
    """How many tasks run on each node, where that is written, and the place of the number alone."""
    each = srun.given("ntasks_per_node")
    if each is not None:
        number = number_of(each.value)
        return (number, each.location, None) if number is not None else None
    total, nodes = srun.given("ntasks"), srun.given("nodes")
    if total is not None:
        number, count = number_of(total.value), number_of(nodes.value) if nodes is not None else None
        if nodes is None and directives is not None and "nodes" in directives.effective:
            count = directives.nodes
        return (number // count, total.location, None) if number is not None and count else None
    if directives is None:
        return None
    found = directives.effective.get("ntasks_per_node")
    if found is not None:
        number = directives.number("ntasks_per_node")
        if "ntasks" in directives.effective or number is None:
            return None
        return number, found.location, found.value_location
    found, count = directives.effective.get("ntasks"), directives.nodes
    total_tasks = directives.number("ntasks")
    if found is None or total_tasks is None or "nodes" not in directives.effective or not count:
        return None
    return total_tasks // count, found.location, None
