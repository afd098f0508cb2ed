"""Finds scripts that ask a launcher's environment, or train on several GPUs, and are started without a launcher."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ddl_lint.rulekit import (
    Claim,
    Event,
    Evidence,
    Finding,
    Flag,
    JobsView,
    Launch,
    Location,
    Object,
    RunView,
    Severity,
    always,
    assigns_ranks,
    branches,
    catches,
    directives_of,
    in_handler,
    in_process,
    is_absent,
    is_opt_in,
    launcher_reads,
    launchers,
    lists_devices,
    meets_in_environment,
    objects,
    texts_in,
    variable_of,
    visible_devices,
    words_in,
)
from ddl_lint.rulekit.events import Delegate, Fit, ReadEnvironment, Restart, SetEnvironment, StartProcesses

_TOLD = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "MASTER_ADDR")
_GPUS = ("gpus_per_node", "gres", "gpus_per_task", "gpus")
_ALONE = ("nohup", "time", "exec", "env", "numactl", "taskset", "nice", "stdbuf", "command", "python")


def publish(run: RunView) -> Iterable[object]:
    """What the script surely asks of a launcher: the variable or call, and where."""
    if not run.is_launched or run.provides("launch") or run.has(StartProcesses, Restart):
        return
    yield from _replicating(run)
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


@dataclass(frozen=True)
class _Replicating:
    """A trainer that copies its model to all GPUs that it sees when it runs as one process."""

    location: Location
    choices: frozenset[str]
    """The options by which a command line may choose devices in another way."""


def _replicating(run: RunView) -> Iterable[_Replicating]:
    """The first trainer that would do so; none where the program chooses its devices in a way of its own."""
    if not run.has(Fit):
        return
    names = run.api.conventions.names
    own = frozenset(names.get("devices_of_one_process", ())) | frozenset(names.get("visible_devices", ()))
    if any(own & (texts_in(module) | words_in(module)) for module in run.modules.values()):
        return
    for event in run.events(Delegate):
        made = any(run.traits(trainer).get("replicates_alone") for trainer in objects(event.result))
        is_loaded = event.model is not None and always(event.model, lambda option: isinstance(option, Object))
        if made and is_loaded and not in_handler(event) and not is_opt_in(run, event):
            yield _Replicating(event.location, own | {"deepspeed", "fsdp"})
            return


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


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the command."""
    for launch in project.launches:
        if launch.host.kind in ("kubernetes", "workflow"):
            continue
        if _is_by_mpi(launch):
            yield from _by_mpi(project, launch)
        if not _is_plain(launch) or _is_called(project, launch):
            continue
        facts = project.facts(launch)
        for fact in facts or ():
            if isinstance(fact, _Replicating):
                yield from _on_several(project, launch, fact)
            if isinstance(fact, (_AskedOfMpi, _Replicating)):
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


def _by_mpi(project: JobsView, launch: Launch) -> Iterable[Finding]:
    """A script that asks for what the launchers of PyTorch tell it, and that MPI starts."""
    for fact in project.facts(launch) or ():
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


def _on_several(project: JobsView, launch: Launch, trainer: _Replicating) -> Iterable[Finding]:
    """One process that sees several GPUs, of which the trainer makes no ranks."""
    assert launch.entry is not None
    words = {(word.value or "").partition("=")[0].lstrip("-").replace("-", "_") for word in launch.arguments}
    given = _gpus(project, launch)
    if given is None or words & trainer.choices or launch.command.in_background:
        return
    count, place, is_asked = given
    # Who lists two GPUs for a script that is never launched otherwise may want the copies.
    others = any(other.script == launch.script and other.launcher is not None for other in project.launches)
    yield Finding(
        Claim(f"one process for {count} GPUs: the trainer copies the model by `DataParallel`", "wasted-work"),
        launch.steps[-1].word.location,
        (Evidence(f"{count} GPUs", place), Evidence("the trainer is created here", trainer.location)),
        severity=Severity.WARNING if is_asked or others else Severity.INFO,
        unfixable="cannot tell whether one process is meant",
        help=f"Start one rank per GPU: `torchrun --nproc_per_node={count} {launch.entry.source}`.",
    )


def _gpus(project: JobsView, launch: Launch) -> tuple[int, Location, bool] | None:
    """How many GPUs a process sees, if these are several, where that is written, and whether Slurm gives them."""
    if lists_devices(launch):
        shown = visible_devices(launch)
        return (len(shown[0]), shown[1].location, False) if shown is not None and len(shown[0]) > 1 else None
    directives = directives_of(project, launch)
    count = directives.gpus_per_node if directives is not None else None
    if directives is None or count is None or count < 2 or directives.tasks_per_node != 1:
        return None
    given = directives.effective
    return count, next(given[name].location for name in _GPUS if name in given), True


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


def _is_called(project: JobsView, launch: Launch) -> bool:
    """Whether a script beside that of a launch runs it on each rank, or with variables that it sets."""
    own, _, name = launch.host.path.rpartition("/")
    return launch.host.kind == "shell" and any(
        command.words[0].value in launchers() or any(command.environment(each) is not None for each in _TOLD)
        for text in project.jobs.texts
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
