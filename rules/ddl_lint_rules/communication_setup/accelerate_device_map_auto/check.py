"""Finds models that one process spreads over all devices, and that several processes train."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Value,
    alternatives,
    always,
    in_process,
    is_opt_in,
    objects,
    parts,
    with_fix,
)
from ddl_lint.rulekit.domain import Model
from ddl_lint.rulekit.events import Delegate, LoadPretrained, Prepare, StartProcesses
from ddl_lint_rules.communication_setup.accelerate_device_map_auto.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per model, where its devices are chosen."""
    if not run.is_script:
        return
    for event in run.events(LoadPretrained):
        made = event.result
        if not isinstance(made, Object) or not made.traits.get("spread"):
            continue
        trainer = next((other for other in run.events(Prepare, Delegate) if _takes(other, made)), None)
        if trainer is not None and _has_many(run, event, trainer):
            finding = Finding(
                "every process spreads this model over the same GPUs, so several processes cannot train it",
                _place(event),
                (Evidence("the model is passed to the trainer here", trainer.location),),
            )
            yield with_fix(finding, fix, run, event)


def _takes(event: Event, model: Object) -> bool:
    """Whether a call surely gets the model, or a wrapper of it."""
    roles = ("object",) if event.kind == "prepare" else ("model",)
    given = [part for role in roles for part in parts(event.operands[role])] if roles[0] in event.operands else []
    return any(_is_it(part, model) for part in given)


def _is_it(value: Value, model: Object) -> bool:
    return always(value, lambda option: isinstance(option, Object) and model in (option, Model(option).inner))


def _has_many(run: RunView, event: Event, trainer: Event) -> bool:
    """Whether a launch of several processes loads the model so, or the script trains in a way that needs them."""
    if run.launch.by_several.has(run.run.path) or run.launch.processes.get(run.run.path, 1) > 1:
        return not is_opt_in(run, event)
    process = in_process(trainer)
    for start in run.events(StartProcesses) if process is not None else ():
        count = start.processes
        if process is not None and start.location == process.location and count is not None:
            return not any(option in (Const(1), Const(0), Const(None)) for option in alternatives(count))
    makers = [made for event in run.events(Delegate) for made in objects(event.result)]
    return any(run.traits(made).get("multi_process") for made in makers)


def _place(event: LoadPretrained) -> Location:
    """Where the devices are chosen, if that is written in the call."""
    devices = event.devices
    place = devices.location if isinstance(devices, Const) else None
    return place if place is not None and event.location.covers(place) else event.location
