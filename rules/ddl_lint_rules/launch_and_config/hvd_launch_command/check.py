"""Finds launch lines that do not start a job of Horovod."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddl_lint.rulekit import (
    Claim,
    Evidence,
    Finding,
    JobsView,
    Launch,
    Location,
    RunView,
    Severity,
    Step,
    container_of,
    directives_of,
)
from ddl_lint.rulekit.events import InitProcessGroup, StartProcesses

_TORCH = ("torchrun", "torch.distributed.launch")


class _Group(NamedTuple):
    """Where a script joins the group of a framework."""

    framework: str
    place: Location


def publish(run: RunView) -> Iterable[_Group]:
    """Where a script joins a group of a framework that has launchers of its own, and no other one."""
    inits = run.events(InitProcessGroup) if run.is_launched else []
    own = all(run.api.group_of(init.api) for init in inits) and not run.provides("launch")
    if inits and own and not run.has(StartProcesses):
        yield _Group(run.api.framework(inits[0].api), inits[0].location)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch."""
    for launch in project.launches:
        yield from _contradiction(launch)
        group = next(iter(project.published(launch, _Group)), None)
        if group is None:
            continue
        name = group.framework.capitalize()
        evidence = (Evidence(f"the script uses {name}", group.place),)
        torch = launch.step(*_TORCH)
        if torch is not None:
            message = Claim(
                f"{name} does not see the processes of `{torch.program}`, so each trains alone", "wrong-result"
            )
            yield Finding(message, torch.word.location, evidence)
        elif _is_alone(project, launch):
            message = f"plain `python` starts only one process of this {name} script"
            yield Finding(message, launch.steps[-1].word.location, evidence, severity=Severity.WARNING)


def _contradiction(launch: Launch) -> Iterable[Finding]:
    step = launch.step("horovodrun")
    if step is None or step.is_open:
        return
    hosts, script = step.given("hosts"), step.given("host_discovery_script")
    if hosts is not None and script is not None:
        yield Finding(
            "`-H` and `--host-discovery-script` are mutually exclusive",
            hosts.location,
            (Evidence("the discovery script", script.location),),
            help="Keep one of the two.",
            consequence="crash",
        )
    least, most = (option.number if (option := step.given(name)) else None for name in ("min_num_proc", "max_num_proc"))
    if least is not None and most is not None and least.value > most.value:
        yield Finding(
            f"`--min-np` {least.value} is larger than `--max-np` {most.value}",
            least.place,
            help="Let the minimum be at most the maximum.",
            consequence="crash",
        )
    sizes = ("num_proc", "min_num_proc", "host_discovery_script", "check_build", "version")
    is_behind = any(_means(step, word.head) in sizes for word in launch.arguments)  # another rule tells of that
    if launch.entry is not None and all(step.given(name) is None for name in sizes) and not is_behind:
        yield Finding(
            "`horovodrun` without `-np` does not know how many processes to start",
            step.word.location,
            help="Add `-np N`.",
            consequence="crash",
        )


def _means(step: Step, option: str) -> str | None:
    """The name of the option of a launcher that a word would be."""
    written = option.partition("=")[0].lstrip("-").replace("-", "_")
    return step.launcher.meaning(written) if step.launcher is not None and option.startswith("-") else None


def _is_alone(project: JobsView, launch: Launch) -> bool:
    """Whether one process is started where several GPUs are asked for."""
    if launch.steps[-1].program != "python" or any(step.program != "python" for step in launch.all_steps):
        return False
    container = container_of(launch)
    if container is not None:
        return (container.gpus or 0) > 1
    directives = directives_of(project, launch)
    return directives is not None and (directives.gpus_per_node or 0) > 1
