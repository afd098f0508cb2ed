"""Finds processes that ask the environment who they are, though the script that starts them has not set it there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    ApiIndex,
    Context,
    Event,
    Evidence,
    Finding,
    Location,
    RunView,
    assigns_ranks,
    catches,
    in_handler,
    in_process,
    is_absent,
    is_constant,
    launcher_reads,
    meets_in_environment,
    starts_several,
    undecided,
    variable_of,
    with_fix,
)
from ddl_lint.rulekit.events import InitProcessGroup, ReadEnvironment, SetEnvironment, StartProcesses
from ddl_lint_rules.communication_setup.spawned_worker_reads_launcher_env.fix import instead_of_reading, told

_VARIABLES = {"rank": "RANK", "world_size": "WORLD_SIZE"}


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place where a process asks: each variable that is read, and the creation of the group."""
    if not run.is_script:
        return
    if run.provides("launch") or _is_launched(run):
        return
    reported: set[Location] = set()
    for start in run.events(StartProcesses):
        if not starts_several(start):
            continue
        for process in _processes(run, start):
            for finding in _judge(run, start, process):
                if finding.location not in reported:
                    reported.add(finding.location)
                    yield finding


def _judge(run: RunView, start: Event, process: Context) -> Iterator[Finding]:
    evidence = (Evidence("the process is started here, not by a launcher", start.location),)
    for read in launcher_reads(run, process):
        if read.default is None and _is_certain(read):
            message = f"`{variable_of(read)}` is not set in processes that the script starts itself; KeyError"
            help = f"Use an argument of the started function, or set `{variable_of(read)}` in it first."
            finding = Finding(message, read.location, evidence, help=help)
            yield with_fix(finding, instead_of_reading, run, read)
    for init in run.groups():
        roles = _untold(run, init, run.api)
        if in_process(init) is process and roles and meets_in_environment(init) and _is_certain(init):
            names = " and ".join(f"`{_VARIABLES[role]}`" for role in roles)
            message = f"the process group reads {names} from the environment, where only a launcher sets it"
            help = f"Pass {' and '.join(f'`{role}=`' for role in roles)} to the call."
            finding = Finding(message, init.location, evidence, help=help)
            yield with_fix(finding, told, run, init, roles)


def _processes(run: RunView, start: Event) -> Iterator[Context]:
    """The processes that a call starts, as far as they do anything."""
    found = (in_process(event) for event in run.all_events)
    yield from dict.fromkeys(each for each in found if each is not None and each.location == start.location)


def _is_launched(run: RunView) -> bool:
    """Whether the process that starts the others belongs to a job itself, or knows which machine of one it is on."""
    known = run.api.conventions.environment
    if any(in_process(event) is None for event in run.events(InitProcessGroup)):
        return True
    for event in run.events(ReadEnvironment):
        meaning = known.get(variable_of(event) or "")
        if meaning is not None and meaning.kind == "rank" and in_process(event) is None:
            return True
        if meaning is not None and meaning.kind == "rank" and meaning.value == "node":
            return True
    return False


def _untold(run: RunView, init: Event, api: ApiIndex) -> tuple[str, ...]:
    """What of rank and world size a group is given neither in the call nor in the environment."""
    told_variables = {variable_of(event) for event in run.events(SetEnvironment) if event.order < init.order}
    if None in told_variables or assigns_ranks(init, api):
        return ()
    return tuple(
        role
        for role, variable in _VARIABLES.items()
        if variable not in told_variables and (is_absent(init, role) or is_constant(init.operands.get(role), -1))
    )


def _is_certain(event: Event) -> bool:
    return not (any(undecided(event)) or in_handler(event) or catches(event.context, "KeyError", "Exception"))
