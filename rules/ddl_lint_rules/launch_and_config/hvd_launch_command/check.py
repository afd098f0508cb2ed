"""Finds launch lines that do not start a job of Horovod."""

from __future__ import annotations

from collections.abc import Iterable

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
    number_of,
)

_TORCH = ("torchrun", "torch.distributed.launch")


def publish(run: RunView) -> Iterable[object]:
    """Where a script joins a group of a framework that has launchers of its own, and no other one."""
    inits = run.events("init_process_group") if run.is_launched else []
    own = all(run.api.group_of(init.api) for init in inits) and not run.provides("launch")
    if inits and own and not run.has("start_processes"):
        yield (run.api.framework(inits[0].api), inits[0].location)


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per launch."""
    for launch in around.launches:
        yield from _contradiction(launch)
        fact = next(iter(around.facts(launch) or ()), None)
        if fact is None:
            continue
        framework, location = fact  # pyright: ignore
        assert isinstance(framework, str) and isinstance(location, Location)
        evidence = (Evidence(f"the script uses {framework.capitalize()}", location),)
        torch = launch.step(*_TORCH)
        if torch is not None:
            name = framework.capitalize()
            message = Claim(
                f"{name} does not see the processes of `{torch.program}`, so each trains alone", "wrong-result"
            )
            yield Finding(message, torch.word.location, evidence)
        elif _is_alone(around, launch):
            message = f"plain `python` starts only one process of this {framework.capitalize()} script"
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
    low, high = step.given("min_num_proc"), step.given("max_num_proc")
    least, most = (number_of(option.value) if option is not None else None for option in (low, high))
    if low is not None and least is not None and most is not None and least > most:
        yield Finding(
            f"`--min-np` {least} is larger than `--max-np` {most}",
            low.location,
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


def _is_alone(around: JobsView, launch: Launch) -> bool:
    """Whether one process is started where several GPUs are asked for."""
    if launch.steps[-1].program != "python" or any(step.program != "python" for step in launch.all_steps):
        return False
    container = container_of(launch)
    if container is not None:
        return (container.gpus or 0) > 1
    directives = directives_of(around, launch)
    return directives is not None and (directives.gpus_per_node or 0) > 1
