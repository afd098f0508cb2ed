"""Finds metrics of one rank's share of the validation data by which a trainer of many processes decides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ddl_lint.analysis.values.certainty import is_absent, is_constant, objects
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.tags import tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.finding import Evidence, Finding
from ddl_lint.fixes.build import with_fix
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Const, Object, Table, Value
from ddl_lint_rules.training.lightning_sync_dist_missing.fix import fix


class _Training(NamedTuple):
    trainer: Event
    watched: Mapping[str, Event]
    """The metrics that decide about the training, by name, with the place that says so."""

    modules: frozenset[str]
    """The modules of the program in which the model may be written: the script's own, and those of its classes."""


def check(project: ProjectView) -> Iterable[Finding]:
    """One finding per call that logs."""
    hooks = project.api.names_like("evaluation_hook_patterns")
    trainings = [training for script in project.scripts for training in _trainings(script)]
    for run in project.runs:
        for event in run.events("log_metric"):
            training = next((each for each in trainings if run.run.module in each.modules), None)
            if training is None:
                continue
            synchronized = event.operands.get("synchronized")
            if "synchronized" in event.unseen or not (synchronized is None or is_constant(synchronized, False)):
                continue
            if event.together or not _evaluates(event, hooks):
                continue
            watched = training.watched
            reader = next(
                (watched[name] for name, value in _logged(event) if name in watched and _is_local(value)), None
            )
            if reader is not None:
                finding = Finding(
                    "the metric of this rank's share is logged, and not that of all ranks, though it decides about "
                    "the training",
                    event.location,
                    (
                        Evidence("it is watched here", reader.location),
                        Evidence("several processes train here", training.trainer.location),
                    ),
                )
                yield with_fix(finding, fix, project, event)


def _trainings(run: RunView) -> Iterator[_Training]:
    """What a script has several processes train, if it watches metrics of that."""
    watched = {name: event for event in run.events("watch_metric") for name in _names(event.operands.get("name"))}
    trained = {
        made.definition.module
        for event in run.events("fit")
        for made in objects(event.operands.get("model"), "model")
        if made.definition is not None
    }
    for event in run.events("take_over") if watched else ():
        if any(trainer.traits.get("multi_process") for trainer in objects(event.result, "trainer")):
            yield _Training(event, watched, frozenset({run.run.module, *trained}))
            return


def _evaluates(event: Event, hooks: re.Pattern[str]) -> bool:
    """Whether the call happens in a method that the trainer calls while it evaluates."""
    return any(node.function is not None and hooks.search(node.function.name) for node in event.context.chain())


def _logged(event: Event) -> Iterator[tuple[str, Value]]:
    """The metrics by name."""
    value = event.operands.get("value")
    if not is_absent(event, "name") and value is not None:
        for name in _names(event.operands.get("name")):
            yield name, value
    elif isinstance(value, Table):
        for key, part in value.items:
            for name in _names(key):
                yield name, part


def _names(value: Value | None) -> Iterator[str]:
    for option in alternatives(value) if value is not None else ():
        if isinstance(option, Const) and isinstance(option.value, str):
            yield option.value


def _is_local(value: Value) -> bool:
    """Whether a value is computed from the data that this rank has seen, and from those alone."""
    if isinstance(value, Object) and value.kind != "tensor":
        return False
    tags = frozenset[str]().union(*map(tags_of, parts(value)))
    return "data" in tags and not tags & {"uniform", "metric"}
