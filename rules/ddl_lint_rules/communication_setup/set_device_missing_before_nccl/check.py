"""Finds processes of an NCCL group that use the current GPU before they have chosen one: all of them use GPU 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Claim,
    Const,
    Context,
    DeviceUse,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Severity,
    called_back,
    chooses_device,
    excludes,
    has_parameters,
    in_handler,
    in_process,
    is_absent,
    is_constant,
    is_current_device,
    is_joint,
    is_rank_guarded,
    job,
    joins_gpus,
    may_see_own_device,
    module_children,
    objects,
    parts,
    passes,
    uses,
    with_fix,
)
from ddl_lint.rulekit.events import Collective, Place, Save, SelectDevice, UseAllDevices, WrapModel
from ddl_lint_rules.communication_setup.set_device_missing_before_nccl.fix import fix

_CURRENT = Const("cuda")

_TAKES_CURRENT = "2.8"
"""The release of torch from which on a barrier takes the current GPU."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per process: at the first use of the current GPU."""
    if not run.is_script:
        return
    if run.launch.with_one_device.has(run.run.path) or not is_joint(run):
        return
    if any(event.kind not in ("select_device", "wrap_model") for event in run.providers("device")):
        return
    seen: set[Context | None] = set()
    for init in run.groups():
        process = in_process(init)
        own = bool(run.api.group_of(init.api))
        if process in seen or not (own or joins_gpus(init, run.api)) or _may_have_device(run, init):
            continue
        seen.add(process)
        if not may_see_own_device(run, process):
            yield from _judge(run, init, process)
            yield from _sessions(run, init, process) if own else ()


def _judge(run: RunView, init: Event, process: Context | None) -> Iterator[Finding]:
    # A barrier has no tensor to tell its device: it takes the one of an earlier exchange, if there was any.
    own = bool(run.api.group_of(init.api))
    exchanges = [event.order for event in run.events(Collective, WrapModel) if _exchanges(event, process)]
    first_exchange = min(exchanges, default=len(run.run.events))
    use = next(
        (
            use
            for use in _uses(run, own)
            if _needs_choice(run, use, init, process)
            and not _moves_nothing(run, use.event)
            and (_has_data(use.event) or not (use.event.order > first_exchange or _may_follow_exchange(run, use.event)))
        ),
        None,
    )
    if use is None:
        return
    chosen = [
        event for event in run.events(SelectDevice) if in_process(event) in (None, process) and chooses_device(event)
    ]
    engines = [
        event
        for event in run.providers("device")
        if event.kind == "wrap_model" and in_process(event) in (None, process)
    ]
    if any(event.order < use.event.order for event in (*chosen, *engines)):
        return
    evidence = [Evidence("the process group exchanges GPU tensors", init.location)]
    # A barrier guesses a GPU from the rank in older releases of torch, and takes the current one in newer ones.
    barrier = is_constant(use.event.operands.get("operation"), "barrier")
    message = Claim("every process uses GPU 0 here, because none has selected its own GPU", "crash")
    if barrier:
        message = "`barrier` guesses a GPU here, because no process has selected its own GPU"
    if chosen or engines:
        message = message.replace("none has", "none has yet").replace("no process has", "no process has yet")
        evidence.append(Evidence("the process only selects its GPU here", (chosen or engines)[0].location))
    severity = Severity.WARNING if barrier or own or engines else None
    if barrier and chosen and not run.versions_of(run.run.path).surely_from("torch", _TAKES_CURRENT):
        severity = Severity.INFO  # the guess is the GPU that the process selects then, where nodes are alike
    consequence = "hang" if barrier else "crash"
    finding = Finding(message, use.event.location, tuple(evidence), severity=severity, consequence=consequence)
    yield with_fix(finding, fix, run, init, use, chosen)


def _sessions(run: RunView, init: Event, process: Context | None) -> Iterator[Finding]:
    """Work of a framework that takes all GPUs that it sees, unless a configuration or an earlier call hides them."""
    chosen = [event for event in run.events(SelectDevice) if in_process(event) in (None, process)]
    if any(event.configuration is None for event in chosen):
        return
    for event in run.events(UseAllDevices, Save):
        if not _is_of_all(event, process) or excludes(init.context, event.context):
            continue
        if chosen and _is_left_out(run, event):
            yield Finding(
                "this uses all GPUs of the node: the configuration that selects one is not passed to it",
                event.location,
                (Evidence("the configuration selects the GPU here", chosen[0].location),),
                severity=Severity.WARNING,
                unfixable="cannot tell which configuration is meant",
                help="Pass the configuration that selects the GPU of the process to this call.",
                consequence="crash",
            )
        elif not chosen and "device" in event.operands and event.kind == "use_all_devices":
            yield Finding(
                "every process uses all GPUs of the node, because none has selected its own GPU",
                event.location,
                (Evidence("the processes of the job are initialized here", init.location),),
                severity=Severity.WARNING,
                unfixable="only you know where each process should select its GPU",
                help="Make only the GPU with the local rank of the process visible to it, before this line.",
                consequence="crash",
            )
            return


def _is_of_all(event: Event, process: Context | None) -> bool:
    return in_process(event) is process and not (is_rank_guarded(event) or in_handler(event) or called_back(event))


def _is_left_out(run: RunView, event: Event) -> bool:
    """Whether a call has a place for a configuration, and surely gets none."""
    owner = run.api.class_(event.api)
    called = owner.constructor if owner is not None else run.api.function(event.api)
    return called is not None and "configuration" in called.roles and is_absent(event, "configuration")


def _may_have_device(run: RunView, init: Event) -> bool:
    """Whether a group may be bound to a device of its own: it is given one, or its release does so."""
    function = run.api.function(init.api)
    since = function.traits.get("binds_device_since") if function is not None else None
    package = run.api.framework(init.api)
    return not is_absent(init, "device") or (
        since is not None and not run.versions_of(run.run.path).surely_before(package, str(since))
    )


def _uses(run: RunView, own: bool) -> list[DeviceUse]:
    """The uses of devices, in order, with the wrappers that work on the current one."""
    found = list(uses(run, "place") if own else uses(run, "place", "collective"))
    wraps = [] if own else [event for event in run.events(WrapModel) if _takes_current(run, event)]
    return sorted((*found, *(DeviceUse(event, _CURRENT) for event in wraps)), key=lambda use: use.event.order)


def _takes_current(run: RunView, wrap: WrapModel) -> bool:
    """Whether a wrapper works on the current device of the process: it is given none, and nothing has put its model,
    of which all is known, onto another one.
    """
    wrappers, models = objects(wrap.result), objects(wrap.model)
    placed = {made for event in run.events(Place) for made in objects(event.object)}
    return (
        bool(models)
        and bool(wrappers)
        and all(made.traits.get("takes_current_device") for made in wrappers)
        and is_absent(wrap, "device_ids")
        and all(made.kind == "model" and not made.traits.get("unseen_parts") for made in models)
        and placed.isdisjoint(models)
    )


def _has_data(event: Event) -> bool:
    return event.kind in ("place", "wrap_model") or "tensor" in event.operands


def _may_follow_exchange(run: RunView, barrier: Event) -> bool:
    """Whether something unknown was called before, such as a trainer from a table of classes, which may have exchanged
    tensors on a device of its own choice.
    """
    return any(
        order <= barrier.order and not excludes(context, barrier.context) for order, context in run.run.hidden_calls
    )


def _is_met_elsewhere(run: RunView, event: Event) -> bool:
    """Whether a barrier lets some ranks through, and another one the rest of them."""
    name = event.operands.get("operation")
    if not is_constant(name, "barrier"):
        return False
    same = [each for each in run.events(Collective) if each.operation == name]
    return all(any(passes(each, process) for each in same) for process in job(1, 2))


def _exchanges(event: Event, process: Context | None) -> bool:
    """Whether an event sends tensors between the processes, from the device on which they are."""
    return in_process(event) is process and (event.kind == "wrap_model" or _has_data(event))


def _moves_nothing(run: RunView, event: Event) -> bool:
    """Whether what is put onto a GPU are modules without a tensor, such as most losses: no GPU hears of it."""
    moved = objects(event.operands.get("object"))
    held = module_children(run)
    return bool(moved) and all(
        each.kind == "model"
        and each.definition is None
        and run.api.class_(each.api or "") is not None
        and not held.get(each)
        and not has_parameters(each, held)
        and not any(isinstance(part, Object) for value in each.given.values() for part in parts(value))
        for each in moved
    )


def _needs_choice(run: RunView, use: DeviceUse, init: Event, process: Context | None) -> bool:
    """Whether all processes get here, and each of them means its current GPU."""
    event = use.event
    return (
        is_current_device(use.value)
        and in_process(event) is process
        and is_absent(event, "group")
        and (not is_rank_guarded(event) or _is_met_elsewhere(run, event))
        and not in_handler(event)
        and not called_back(event)
        and not excludes(init.context, event.context)
    )
