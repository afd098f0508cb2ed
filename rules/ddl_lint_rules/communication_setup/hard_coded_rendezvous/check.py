"""Finds literal addresses and numbers of a group in scripts that get them from a launcher."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    RunView,
    Severity,
    Value,
    always,
    in_process,
    is_certain,
    is_constant,
    launcher_reads,
    rescues,
    variable_of,
    with_fix,
)
from ddl_lint.rulekit.events import Collective, ReadEnvironment, SetEnvironment
from ddl_lint_rules.communication_setup.hard_coded_rendezvous.fix import leave_out, only_if_missing

_ADDRESS = "tcp://"
_ALONE = "1"
"""The number of processes of a run that is meant to be alone."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per creation of a group with a literal address, and per variable that is set to a literal."""
    if not run.is_script:
        return
    inits = [event for event in run.groups() if in_process(event) is None and is_certain(event)]
    if not inits or any(event.kind != "init_process_group" for event in run.providers("process_group", "launch")):
        return
    reads = list(launcher_reads(run, None))
    by_torchrun = run.run.path in run.launch.by_torchrun.paths
    for event in inits:
        evidence = _evidence(reads, event)
        if (evidence or by_torchrun) and always(event.init_method, _is_literal_address):
            finding = Finding(
                "the address is hard-coded: under a launcher no process serves there, and all of them wait",
                event.location,
                evidence,
                severity=Severity.ERROR if by_torchrun else None,
                help="Remove `init_method`, `rank` and `world_size` from this call; the launcher sets them.",
            )
            yield with_fix(finding, leave_out, run, event)
    for event in _assignments(run, inits[-1]):
        evidence = _evidence(reads, event)
        if by_torchrun or (evidence and not _is_told_by_mpi(run, event)):
            finding = Finding(
                f"`{variable_of(event)}` is overwritten with a literal, although the launcher has set it",
                event.location,
                evidence,
                help=f'Use `os.environ.setdefault("{variable_of(event)}", ...)`, which keeps the value that is set.',
            )
            yield with_fix(finding, only_if_missing, run, event)


def _evidence(reads: list[ReadEnvironment], event: Event) -> tuple[Evidence, ...]:
    """Where a process learns from a launcher who it is, on a way on which an event happens."""
    read = next((each for each in reads if not rescues(each, event)), None)
    return () if read is None else (Evidence("a launcher sets this variable", read.location),)


def _is_told_by_mpi(run: RunView, event: Event) -> bool:
    """Whether the processes talk through MPI before: what has started them sets no address."""
    return any(
        earlier.order < event.order and is_constant(earlier.backend, "mpi") for earlier in run.events(Collective)
    )


def _is_literal_address(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, str) and value.value.lower().startswith(_ADDRESS)


def _assignments(run: RunView, init: Event) -> Iterator[SetEnvironment]:
    """The variables that the script sets to literals, whatever the launcher has set them to."""
    known = run.api.conventions.names.get("rendezvous_variables", ())
    set_here = [event for event in run.events(SetEnvironment) if variable_of(event) in known and _is_literal(event)]
    if any(_says_alone(event) for event in set_here):
        return
    reported: set[Location] = set()
    for event in set_here:
        if event.order < init.order and event.location not in reported and is_certain(event):
            reported.add(event.location)
            yield event


def _is_literal(event: SetEnvironment) -> bool:
    return (
        event.default is None
        and in_process(event) is None
        and always(event.value, lambda value: isinstance(value, Const))
    )


def _says_alone(event: SetEnvironment) -> bool:
    """Whether the script makes itself a group of one: the number of processes is set to one."""
    value = event.value
    return isinstance(value, Const) and str(value.value) == _ALONE and "SIZE" in (variable_of(event) or "")
