"""Finds indices of GPUs that are the same, or out of range, in some process: global ranks, literals, hidden GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ddl_lint.rulekit import (
    LOCAL_RANK,
    Apply,
    Const,
    Context,
    Device,
    DeviceUse,
    Event,
    Evidence,
    Finding,
    Location,
    Rank,
    RunView,
    Setting,
    Severity,
    Value,
    accelerators,
    asks_for_devices,
    called_back,
    depends_on_rank,
    has_own_group,
    hides_devices,
    in_handler,
    in_process,
    is_joint,
    is_on_one_node,
    is_rank_guarded,
    is_started_on_one_node,
    match,
    parts,
    tags_of,
    undecided,
    uses,
    with_fix,
)
from ddl_lint.rulekit.events import Delegate, ReadEnvironment
from ddl_lint_rules.communication_setup.wrong_device_index.fix import fix, local_rank_attribute

_GLOBAL = "the global rank is used as a GPU index, which does not exist on the second node"


class _Fault(NamedTuple):
    message: str
    severity: Severity | None = None
    evidence: tuple[Evidence, ...] = ()
    sees_one: bool = False
    """The process sees one GPU only."""

    help: str = ""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place where a wrong index enters a device."""
    if not run.is_script:
        return
    processes = {in_process(event) for event in (*run.groups(), *_trainers(run))}
    reported: set[Location | Value] = set()
    for use in uses(run):
        is_common = _is_common(use.event)
        if in_process(use.event) in processes and (is_common or _is_optional(use.event)):
            for finding, key in _judge(run, use):
                if key not in reported and (is_common or finding.message == _GLOBAL):
                    reported.add(key)
                    yield finding
    if has_own_group(run):
        yield from _shown(run)
    yield from _too_few(run)


def _shown(run: RunView) -> Iterator[Finding]:
    """The global rank as the only GPU that a process is shown."""
    for event in hides_devices(run, None):
        value = event.value
        if isinstance(value, Rank) and value.scope == "global" and value.source == "api" and _is_common(event):
            severity = Severity.INFO if is_started_on_one_node(run) else None
            unfixable = "cannot tell what else reads the variable"
            yield Finding(_GLOBAL, event.location, severity=severity, unfixable=unfixable)


def _too_few(run: RunView) -> Iterator[Finding]:
    """Fewer GPUs that the script shows to its processes than each launch starts processes on a node."""
    sizes = [(job.world_size.value, job.nodes.value) for job in run.jobs]
    for event in hides_devices(run, None) if sizes else ():
        value = event.value
        shown = value.value if isinstance(value, Const) and "default" not in event.operands else None
        if not isinstance(shown, str) or not _LISTED.fullmatch(shown) or not _is_common(event):
            continue
        count = shown.count(",") + 1
        numbers = [world // nodes for world, nodes in sizes if world is not None and nodes]
        if len(numbers) == len(sizes) and min(numbers) > count:
            yield Finding(
                f"the script shows {count} GPU{'s' * (count > 1)} to each process, but {min(numbers)} start on a node",
                event.location,
                (Evidence("the processes are started here", run.jobs[0].place),),
                help="Leave the variable to the launch line, or start as many processes as devices are listed.",
                unfixable="cannot tell which of the two numbers is meant",
            )


_LISTED = re.compile(r"\d+(,\s*\d+)*")


def _is_common(event: Event) -> bool:
    """Whether every process of a distributed run with GPUs gets to the event."""
    return not (
        is_rank_guarded(event)
        or in_handler(event)
        or called_back(event)
        or any(node.value is None or not asks_for_devices(node.value) for node in undecided(event))
    )


def _is_optional(event: Event) -> bool:
    """Whether the user's options decide if all processes get to the event, and none of them is about nodes."""
    return not (is_rank_guarded(event) or in_handler(event) or called_back(event)) and all(
        node.value is not None and (asks_for_devices(node.value) or _asks_for_option(node.value))
        for node in undecided(event)
    )


def _asks_for_option(condition: Value) -> bool:
    asked = list(parts(condition))
    options = [part for part in asked if isinstance(part, Setting)]
    is_plain = all(isinstance(part, (Setting, Const, Apply)) for part in asked)
    return is_plain and bool(options) and not any(_OF_NODES.search(option.name) for option in options)


_OF_NODES = re.compile(r"node|multi|local|launcher|slurm|single|rank|host", re.IGNORECASE)


def _judge(run: RunView, use: DeviceUse) -> Iterator[tuple[Finding, Location | Value]]:
    found = accelerators(use.value)
    faults = [_fault(run, use, device) for device in found]
    if not all(faults):  # one of the alternatives may be the right one
        return
    for device, fault in zip(found, faults, strict=True):
        assert fault is not None
        location = device.origin or use.event.location
        evidence = fault.evidence
        if device.origin is not None and not use.event.location.covers(device.origin):
            evidence += (Evidence("the device is used here", use.event.location),)
        if fault.message == _GLOBAL and device.origin is None:
            evidence += _callers(use.event)
        finding = Finding(fault.message, location, evidence, severity=fault.severity, help=fault.help)
        yield with_fix(finding, fix, run, use, device, sees_one=fault.sees_one), location


def _callers(event: Event) -> tuple[Evidence, ...]:
    """The call of the function in which a device is used: the index may be passed there."""
    call = next((node for node in event.context.chain() if node.kind == "call"), None)
    return () if call is None else (Evidence("called here", call.location),)


def _fault(run: RunView, use: DeviceUse, device: Device) -> _Fault | None:
    index = device.index
    if index is None:
        return None
    process = in_process(use.event)
    hidden = [event for event in hides_devices(run, process) if event.order < use.event.order]
    if hidden:
        value = hidden[-1].value
        if depends_on_rank(value) and depends_on_rank(index) and tags_of(index) & {LOCAL_RANK}:
            return _Fault(
                "the local rank is used as a GPU index, but each process sees one GPU only, as index 0",
                evidence=(Evidence("one GPU is made visible here", hidden[-1].location),),
                sees_one=True,
            )
        if not isinstance(value, Const):
            return None
    shown = run.launch.shown_one_device.get(run.run.path)
    if shown is not None and not hidden and process is None and _is_local(index):
        return _Fault(
            "the local rank is used as a GPU index, but Slurm shows each task one GPU only, as index 0",
            Severity.WARNING,
            (Evidence("one GPU for each task", shown),),
            sees_one=True,
        )
    if isinstance(index, Const):
        if not run.groups():  # a trainer moves to the device of the process what it gets
            return None
        if run.launch.with_one_device.has(run.run.path) or not is_joint(run):
            return None
        if not _knows_local_rank(run, process):
            return None
        if len(_literals(run)) > 1:  # the model is spread over several GPUs of each process
            return None
        return _Fault(f"all processes of a node use GPU {index.value}, because the index is a literal")
    is_global = isinstance(index, Rank) and index.scope == "global" and index.source in ("api", "environment")
    if is_global and is_on_one_node(run):
        return None
    if is_global and process is None and not run.groups() and _trainers(run):
        name = local_rank_attribute(run, _trainers(run)[0].api)
        severity = Severity.INFO if is_started_on_one_node(run) else Severity.WARNING
        return _Fault(_GLOBAL, severity, help=f"Use `{name}`, which counts the processes of each node from 0.")
    if is_global and process is None and is_started_on_one_node(run):
        return _Fault(_GLOBAL, Severity.INFO) if has_own_group(run) or _reads(run, "local", "node") else None
    if is_global and process is None and has_own_group(run):
        return _Fault(_GLOBAL)
    nodes = run.launch.on_several_nodes.has(run.run.path)
    if is_global and process is None and (nodes or _reads(run, "local", "node")):
        return _Fault(_GLOBAL, Severity.WARNING)
    return None


def _is_local(index: Value) -> bool:
    """Whether an index is the number of the process on its node: read, or computed with a number of GPUs that is
    written down.
    """
    divided = match.modulo(index)
    if divided is not None:
        rank, count = divided
        return isinstance(rank, Rank) and isinstance(count, Const) and count != Const(1)
    return isinstance(index, Rank) and index.scope == "local"


def _trainers(run: RunView) -> list[Delegate]:
    """What joins the processes of a job and tells each of them its local rank, too."""
    makers = (event for event in run.events(Delegate) if "process_group" in event.provides)
    return [event for event in makers if local_rank_attribute(run, event.api)]


def _literals(run: RunView) -> frozenset[Const]:
    """The literal indices of GPUs that a run uses."""
    named = (device.index for use in uses(run) for device in accelerators(use.value))
    return frozenset(index for index in named if isinstance(index, Const))


def _knows_local_rank(run: RunView, process: Context | None) -> bool:
    """Whether the program has the right index at hand, which also tells that it runs one process per GPU."""
    return process is not None or _reads(run, "local") or any(LOCAL_RANK in tags_of(use.value) for use in uses(run))


def _reads(run: RunView, *scopes: str) -> bool:
    """Whether the run reads a rank of this scope from its environment."""
    environment = run.api.conventions.environment
    for event in run.events(ReadEnvironment):
        variable = event.variable
        meaning = environment.get(variable.value) if isinstance(variable, Const) else None
        if meaning is not None and meaning.kind == "rank" and meaning.value in scopes:
            return True
    return False
