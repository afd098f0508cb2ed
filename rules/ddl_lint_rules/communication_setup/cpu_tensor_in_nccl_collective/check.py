"""Finds tensors on the CPU that are exchanged in a group that can only exchange tensors of GPUs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ddl_lint.rulekit import (
    NONE,
    ApiIndex,
    Const,
    Event,
    Evidence,
    Finding,
    Items,
    Location,
    Object,
    RunView,
    Setting,
    Unknown,
    Value,
    alternatives,
    in_handler,
    in_process,
    is_constant,
    is_default_group,
    is_only_for_gpus,
    mentions_flag,
    on_cpu,
    parts,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.events import Collective, InitProcessGroup, PointToPoint, QueryProcessGroup, SelectDevice
from ddl_lint_rules.communication_setup.cpu_tensor_in_nccl_collective.fix import fix

_ROLES = ("tensor", "output")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per tensor that is exchanged: where it is made on the CPU, or taken there."""
    if not run.is_script:
        return
    if _makes_elsewhere(run) or any(each.kind != "init_process_group" for each in run.providers("process_group")):
        return
    reported: set[Location] = set()
    for event in run.events(Collective, PointToPoint):
        init = _group_of_gpus(run.api, run, event)
        if init is None or not _is_for_gpus(run, event):
            continue
        for sources in filter(None, (on_cpu(value, run.heap) for value in _exchanged(event))):
            if sources[0].location not in reported:
                reported.update(source.location for source in sources)
                yield with_fix(_finding(run, event, init, sources), fix, run, event, sources)


def _finding(run: RunView, event: Event, init: InitProcessGroup, sources: Sequence[Object]) -> Finding:
    name = event.api.rpartition(".")[2]
    source = sources[0]
    evidence = [
        *(Evidence("so is this tensor", other.location) for other in sources[1:]),
        Evidence(f"passed to `{name}` here", event.location),
        Evidence("the process group is created with NCCL here", init.location),
    ]
    by_default = " by default" if isinstance(init.backend, Setting) else ""
    is_moved = "moved" in source.given
    tensor = "this tensor is moved to the CPU and" if is_moved else "this CPU tensor is"
    return Finding(
        f"{tensor} passed to `{name}` ({run.place(event.location, source.location)}), but the group uses "
        f"NCCL{by_default}",
        source.location,
        tuple(evidence),
        help=f"Keep the tensor on the GPU for `{name}`."
        if is_moved
        else "Create the tensor on the GPU of its process, for example with `device=`.",
    )


# --- the group --------------------------------------------------------------------------------------------------------


def _group_of_gpus(api: ApiIndex, run: RunView, event: Collective | PointToPoint) -> InitProcessGroup | None:
    """The creation of the default group, if all have a backend for GPUs only and the event is about such a group."""
    inits = [each for each in run.events(InitProcessGroup) if in_process(each) in (None, in_process(event))]
    if not inits or not all(_is_for_gpus_only(api, each.operands.get("backend", NONE)) for each in inits):
        return None
    group = event.group
    if "group" in event.unseen:
        return None
    if is_default_group(group) or (group is not None and all(_inherits(api, each) for each in alternatives(group))):
        return inits[0]
    return None


def _is_for_gpus_only(api: ApiIndex, backend: Value) -> bool:
    options = [each.default if isinstance(each, Setting) else each for each in alternatives(backend)]
    return all(isinstance(each, Const) and is_only_for_gpus(str(each.value).lower(), api) for each in options)


def _inherits(api: ApiIndex, group: Value) -> bool:
    """Whether a group is one of the program's that has the backend of the default group, or one like it itself."""
    if group == NONE:
        return True
    if not isinstance(group, Object) or group.kind != "group" or "ranks" not in group.given:
        return False
    backend = group.given.get("backend", NONE)
    return backend == NONE or _is_for_gpus_only(api, backend)


# --- the tensor -------------------------------------------------------------------------------------------------------


def _is_for_gpus(run: RunView, event: Collective | PointToPoint) -> bool:
    """Whether the event is not one of objects, nor reached only where there is no GPU or another backend."""
    if event.device is not None or in_handler(event):
        return False
    answers = [each.result for each in run.events(QueryProcessGroup) if isinstance(each.result, Unknown)]
    return not any(
        node.value is not None
        and (mentions_flag(node.value, "cuda") or any(part in answers for part in parts(node.value)))
        for node in undecided(event)
    )


def _exchanged(event: Event) -> Iterator[Value]:
    """The tensors that an event sends or fills, those in lists one by one."""
    for role in _ROLES:
        value = event.operands.get(role)
        for option in () if value is None else _members(value):
            held = option.given.get("tensor") if isinstance(option, Object) and option.kind != "tensor" else None
            yield option if held is None else held


def _members(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Items) else (value,)


def _makes_elsewhere(run: RunView) -> bool:
    """Whether the program says somewhere that new tensors are made on another device."""
    return any(is_constant(event.factories, True) for event in run.events(SelectDevice))
