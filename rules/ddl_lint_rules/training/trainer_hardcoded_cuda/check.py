"""Finds GPUs that are chosen by a literal number where a trainer gives each process its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.analysis.queries.control_context import is_rank_guarded
from ddl_lint.analysis.queries.devices import uses
from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.values.contexts import in_handler, undecided
from ddl_lint.analysis.values.devices import Device, accelerators
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.finding import Evidence, Finding
from ddl_lint.fixes.build import with_fix
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Const, Object
from ddl_lint_rules.training.trainer_hardcoded_cuda.fix import fix


def check(project: ProjectView) -> Iterable[Finding]:
    """One finding per place where the number is written."""
    reported: set[object] = set()
    for run in project.runs:
        trainer = _trainer(run) or (None if run.is_script else project.once(_owners).get(run.run.module))
        if trainer is None or run.groups() or run.has("select_device"):
            continue
        apart = _callbacks(trainer)  # of tests that are handed to a decorator, each is for itself
        found = [each for each in _literals(run) if apart <= _callbacks(each[0])]
        if len({index for _, _, index in found}) != 1:  # the model is spread over several GPUs of each process
            continue
        for event, device, index in found:
            place = device.origin or event.location
            if place not in reported:
                reported.add(place)
                finding = Finding(
                    f"every process uses GPU {index}, and not the one that the trainer has given it",
                    place,
                    (Evidence("the trainer gives each process its device", trainer.location),),
                )
                yield with_fix(finding, fix, project, trainer, place, index)


def _callbacks(event: Event) -> set[Context]:
    """The calls around an event that code which cannot be seen makes at some time."""
    return {node for node in event.context.chain() if node.kind == "callback"}


def _trainer(run: RunView) -> Event | None:
    """What gives each process a device: a trainer of a script that trains, or the class whose methods it calls."""
    trains = run.has("backward", "fit", "log_metric") or not run.is_script
    for event in run.events("delegate"):
        made = objects(event.result, "trainer", "model")
        if trains and made and {"device", "wrap"} <= event.provides and not any(map(_is_alone, made)):
            return event
    return None


def _is_alone(trainer: Object) -> bool:
    return bool(trainer.traits.get("alone"))


def _owners(project: ProjectView) -> dict[str, Event]:
    """For modules, where a script first makes an object of them whose methods a trainer calls."""
    owners: dict[str, Event] = {}
    for run in project.scripts:
        for event in run.events("delegate"):
            if {"device", "wrap"} <= event.provides:
                for made in objects(event.result, "model"):
                    if made.definition is not None:
                        owners.setdefault(made.definition.module, event)
    return owners


def _literals(run: RunView) -> Iterator[tuple[Event, Device, int]]:
    for use in uses(run):
        event = use.event
        if is_rank_guarded(event) or in_handler(event) or any(undecided(event)) or event.kind == "init_process_group":
            continue
        for device in accelerators(use.value):
            if isinstance(device.index, Const) and isinstance(device.index.value, int):
                yield event, device, device.index.value
