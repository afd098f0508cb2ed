"""Finds GPUs that are chosen by a literal number where a trainer gives each process its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from ddl_lint.rulekit import (
    Const,
    Context,
    Device,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Shared,
    Value,
    accelerators,
    in_handler,
    is_constant,
    is_launched_as_several,
    is_rank_guarded,
    objects,
    parts,
    undecided,
    uses,
    with_fix,
    without_fix,
)
from ddl_lint.rulekit.events import Backward, Delegate, Fit, LoadState, LogMetric, SelectDevice
from ddl_lint_rules.training.trainer_hardcoded_cuda.fix import class_around, fix


@dataclass(frozen=True)
class _Owner:
    """A script gives an object of a class to a trainer, which then calls its methods."""

    module: str
    name: str
    """Of the class."""

    trainer: Location


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place where the number is written; in a class that others train, for the join."""
    reported: set[object] = set()
    trainer = _trainer(run)
    if (trainer is None and run.is_script) or run.groups() or run.has(SelectDevice):
        return
    apart = _callbacks(trainer) if trainer is not None else set[Context]()  # of tests that are handed to a decorator
    found = [each for each in _literals(run) if apart <= _callbacks(each[0])]
    if any(event.kind == "load_pretrained" for event, _, _ in found) and not is_launched_as_several(run):
        return  # a script for one GPU, on which it loads its model
    if len({index for _, _, index in found}) != 1:  # the model is spread over several GPUs of each process
        return
    for event, device, index in found:
        place = device.origin or event.location
        if place not in reported:
            reported.add(place)
            finding = Finding(
                f"every process uses GPU {index} here instead of the GPU that its trainer assigned",
                place,
                _evidence(trainer.location) if trainer is not None else (),
                about=None if trainer is not None else (run.run.module, class_around(run, place)),
            )
            yield with_fix(finding, fix, run, trainer, place, index)


def publish(run: RunView) -> Iterator[_Owner]:
    """Where a script first makes an object of a class whose methods a trainer calls."""
    for event in run.events(Delegate) if run.is_script else ():
        if {"device", "wrap"} <= event.provides:
            for made in objects(event.result, "model"):
                if made.definition is not None:
                    yield _Owner(made.definition.module, made.definition.definition.name, event.location)


def join(finding: Finding, shared: Shared[_Owner]) -> Finding | None:
    """A library module is at fault where a script has its classes trained."""
    if finding.about is None:
        return finding
    module, name = cast("tuple[str, str | None]", finding.about)
    owners = [each for each in shared.project if each.module == module]
    if not owners:
        return None
    finding = replace(finding, evidence=_evidence(owners[0].trainer))
    if any(each.name == name for each in owners):
        return finding
    return without_fix(finding, "no variable holds the trainer's device here")


def _evidence(trainer: Location) -> tuple[Evidence, ...]:
    return (Evidence("the trainer assigns each process its device here", trainer),)


def _callbacks(event: Event) -> set[Context]:
    """The calls around an event that code which cannot be seen makes at some time."""
    return {node for node in event.context.chain() if node.kind == "callback"}


def _trainer(run: RunView) -> Delegate | None:
    """What gives each process a device: a trainer of a script that trains, or the class whose methods it calls."""
    trains = run.has(Backward, Fit, LogMetric) or not run.is_script
    for event in run.events(Delegate):
        made = objects(event.result, "trainer", "model")
        if trains and made and {"device", "wrap"} <= event.provides and not any(map(_is_alone, made)):
            return event
    return None


def _is_alone(trainer: Object) -> bool:
    return bool(trainer.traits.get("alone"))


def _is_copied(run: RunView, load: Event) -> bool:
    """Whether what is read is only copied into a model or an optimizer, which keeps its own device."""
    taking = [event for event in run.events(LoadState) if _has(event.state, load.result)]
    return bool(taking) and not any(is_constant(event.assign, True) for event in taking)


def _has(state: Value | None, read: Value | None) -> bool:
    return state is not None and any(part == read for part in parts(state))


def _literals(run: RunView) -> Iterator[tuple[Event, Device, int]]:
    for use in uses(run):
        event = use.event
        if is_rank_guarded(event) or in_handler(event) or any(undecided(event)) or event.kind == "init_process_group":
            continue
        if event.kind == "load" and _is_copied(run, event):
            continue
        for device in accelerators(use.value):
            if isinstance(device.index, Const) and isinstance(device.index.value, int):
                yield event, device, device.index.value
