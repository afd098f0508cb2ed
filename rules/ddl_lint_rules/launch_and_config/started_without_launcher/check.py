"""Finds scripts that ask a launcher's environment, and are started without a launcher."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Flag,
    JobsView,
    Launch,
    Location,
    RunView,
    assigns_ranks,
    branches,
    catches,
    in_handler,
    in_process,
    is_absent,
    launcher_reads,
    launchers,
    meets_in_environment,
    texts_in,
    variable_of,
)
from ddl_lint.rulekit.events import ReadEnvironment, Restart, SetEnvironment, StartProcesses

_TOLD = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "MASTER_ADDR")
_ALONE = ("nohup", "time", "exec", "env", "numactl", "taskset", "nice", "stdbuf", "command", "python")


def publish(run: RunView) -> Iterable[object]:
    """What the script surely asks of a launcher: the variable or call, and where."""
    if not run.is_launched or run.provides("launch") or run.has(StartProcesses, Restart):
        return
    if _knows_plain_runs(run):
        return
    for read in launcher_reads(run, None):
        if "default" not in read.operands and _is_certain(read):
            yield (f"reads `{variable_of(read)}`", read.location)
            if variable_of(read) in _OF_PYTORCH and not _knows_mpi(run):
                yield _AskedOfMpi(str(variable_of(read)), read.location)
            return
    if any(True for _ in run.events(SetEnvironment)):
        return
    known = set(run.api.conventions.names.get("launcher_variables", ()))
    if any(texts_in(module) & known for module in run.modules.values()):
        return  # conditions that are decided say what it does without them
    for init in run.groups():
        unset = is_absent(init, "rank") and is_absent(init, "world_size")
        own = run.api.group_of(init.api) or not run.api.has_trait(init.api, "meets_in_environment")
        asks = unset and not own and meets_in_environment(init) and not assigns_ranks(init, run.api)
        if asks and _is_certain(init) and in_process(init) is None:
            yield ("creates a process group from the environment", init.location)
            return


@dataclass(frozen=True)
class _AskedOfMpi:
    """A variable that the launchers of PyTorch set, and that MPI does not, in a program that knows of no MPI."""

    variable: str
    location: Location


_OF_PYTORCH = ("RANK", "WORLD_SIZE", "LOCAL_RANK")
_OF_MPI = ("MPI", "PMI", "MV2_")


def _knows_mpi(run: RunView) -> bool:
    """Whether a program names a variable or a module of MPI."""
    return any(
        mark in word.upper()
        for module in run.modules.values()
        for word in (*texts_in(module), *module.words)
        for mark in _OF_MPI
    )


def _knows_plain_runs(run: RunView) -> bool:
    """Whether the program has a default for a variable of launchers: it is prepared for a start without one."""
    known = run.api.conventions.names.get("launcher_variables", ())
    return any("default" in event.operands and variable_of(event) in known for event in run.events(ReadEnvironment))


def _is_certain(event: Event) -> bool:
    """Whether the script gets there without asking anything, but whether it is run."""
    asked = [node.value for node in branches(event.context)]
    plain = all(isinstance(value, Flag) and value.name == "main" for value in asked)
    return plain and not in_handler(event) and not catches(event.context, "KeyError", "Exception")


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the command."""
    for launch in around.launches:
        if launch.host.kind in ("kubernetes", "workflow"):
            continue
        if _is_by_mpi(launch):
            yield from _by_mpi(around, launch)
        if not _is_plain(launch) or _is_called(around, launch):
            continue
        facts = around.facts(launch)
        for fact in facts or ():
            if isinstance(fact, _AskedOfMpi):
                continue
            what, location = fact  # pyright: ignore
            assert isinstance(location, Location)
            script = launch.entry.source if launch.entry is not None else "the script"
            yield Finding(
                f"`{script}` {what}, which only a launcher such as torchrun sets up",
                launch.steps[-1].word.location,
                (Evidence("the script reads it here", location),),
                unfixable="cannot tell how many processes to start",
                help=f"Start it with a launcher: `torchrun --nproc_per_node=N {script}`.",
            )
            break


def _by_mpi(around: JobsView, launch: Launch) -> Iterable[Finding]:
    """A script that asks for what the launchers of PyTorch tell it, and that MPI starts."""
    for fact in around.facts(launch) or ():
        if isinstance(fact, _AskedOfMpi) and launch.entry is not None:
            program = launch.steps[0].program
            yield Finding(
                f"`{launch.entry.source}` reads `{fact.variable}`, which `{program}` does not set",
                launch.steps[0].word.location,
                (Evidence("the script reads it here", fact.location),),
                unfixable="cannot tell which MPI starts the processes",
                help="Read the variables of MPI, such as `OMPI_COMM_WORLD_RANK`, or start the script with torchrun.",
            )
            return


def _is_by_mpi(launch: Launch) -> bool:
    """Whether MPI alone starts the processes, and the command names none of the variables of PyTorch."""
    programs = [step.program for step in launch.steps]
    words = [word.source for word in launch.command.words]
    return (
        programs[0] in ("mpirun", "mpiexec")
        and all(program == "python" or program in _ALONE for program in programs[1:])
        and not any(name in word for name in _OF_PYTORCH for word in words)
        and not any(launch.command.environment(name) is not None for name in _TOLD)
    )


def _is_called(around: JobsView, launch: Launch) -> bool:
    """Whether a script beside that of a launch runs it on each rank, or with variables that it sets."""
    own, _, name = launch.host.path.rpartition("/")
    return launch.host.kind == "shell" and any(
        command.words[0].value in launchers() or any(command.environment(each) is not None for each in _TOLD)
        for text in around.jobs.texts
        if text.file.path != launch.host.path and text.file.path.rpartition("/")[0] == own
        for command in text.shell.commands
        if any(word.source.rpartition("/")[2] == name for word in command.words)
    )


def _is_plain(launch: Launch) -> bool:
    """Whether Python starts the script, and nothing around it tells the processes who they are."""
    if launch.command.per_task is not None or launch.steps[-1].program != "python":
        return False
    if any(step.program not in _ALONE for step in launch.steps):
        return False
    return not any(launch.command.environment(name) is not None for name in _TOLD)
