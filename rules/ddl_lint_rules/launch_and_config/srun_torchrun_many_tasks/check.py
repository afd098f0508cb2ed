"""Finds launchers that Slurm starts several times on a node."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Directives,
    Evidence,
    Finding,
    JobsView,
    Known,
    Step,
    directives_of,
    reads_task_count,
    replacing,
)

_FORKING = ("torchrun", "torch.distributed.launch", "accelerate", "deepspeed")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the number of tasks."""
    for launch in project.launches:
        step, srun = launch.step(*_FORKING), launch.step("srun")
        if step is None or srun is None or srun.is_open or _processes(step) == 1:
            continue
        found = _tasks(srun, directives_of(project, launch))
        if found is None:
            continue
        if found.value > 1:
            written = found.written
            is_read = written is not None and reads_task_count(project, launch)
            fix = replacing("Run one task on each node", written, "1") if written is not None and not is_read else None
            reason = "the number of tasks is read by something else" if is_read else "the number of nodes is not known"
            yield Finding(
                f"srun starts `{step.program}` {found.value} times per node, and each starts all processes",
                found.place,
                (Evidence("the launcher is started here", step.word.location),),
                fix=fix,
                unfixable="" if fix else reason,
            )


def _processes(step: Step) -> int | None:
    option = step.role("processes") or step.role("all_processes")
    if option is None and step.program in ("torchrun", "torch.distributed.launch") and not step.is_open:
        return 1
    return option.number.value if option is not None and option.number is not None else None


def _tasks(srun: Step, directives: Directives | None) -> Known[int] | None:
    """How many tasks run on each node; with the place of the number alone where a directive gives it."""
    each = srun.given("ntasks_per_node")
    if each is not None:
        return Known(each.number.value, each.location) if each.number is not None else None
    total, nodes = srun.given("ntasks"), srun.given("nodes")
    if total is not None:
        number, count = total.number, nodes.number.value if nodes is not None and nodes.number is not None else None
        if nodes is None and directives is not None and "nodes" in directives.effective:
            count = directives.nodes
        return Known(number.value // count, total.location) if number is not None and count else None
    if directives is None:
        return None
    found = directives.effective.get("ntasks_per_node")
    if found is not None:
        number = directives.number("ntasks_per_node")
        if "ntasks" in directives.effective or number is None:
            return None
        return Known(number, found.location, found.value_location)
    found, count = directives.effective.get("ntasks"), directives.nodes
    total_tasks = directives.number("ntasks")
    if found is None or total_tasks is None or "nodes" not in directives.effective or not count:
        return None
    return Known(total_tasks // count, found.location)
