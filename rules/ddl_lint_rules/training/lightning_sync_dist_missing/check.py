"""Finds metrics of one rank's share of the validation data by which a trainer of many processes decides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from ddl_lint.rulekit import (
    DATA,
    METRIC,
    NO_TAGS,
    UNIFORM,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Shared,
    Table,
    Value,
    alternatives,
    called_name,
    is_absent,
    is_constant,
    named,
    objects,
    parts,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.events import Delegate, Fit, LogMetric, WatchMetric
from ddl_lint_rules.training.lightning_sync_dist_missing.fix import fix


@dataclass(frozen=True)
class _Training:
    """What a script has several processes train, and by which metrics that is decided."""

    trainer: Location
    watched: tuple[tuple[str, Location], ...]
    """The metrics by name, with the place that says so."""

    modules: frozenset[str]
    """The modules of the program in which the model may be written: the script's own, and those of its classes."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that logs, for each of which the join finds who watches it."""
    hooks = run.api.names_like("evaluation_hook_patterns")
    for event in run.events(LogMetric):
        synchronized = event.synchronized
        if "synchronized" in event.unseen or not (synchronized is None or is_constant(synchronized, False)):
            continue
        names = tuple(name for name, value in _logged(event) if _is_local(value))
        if event.collective_when or not names or not _evaluates(event, hooks):
            continue
        call = named("log", called_name, run, event.location)
        finding = Finding(
            f"`{call}` logs this rank's share only, and the metric controls training",
            event.location,
            help=f"Pass `sync_dist=True` to `{call}`, or log a torchmetrics object.",
            about=(run.run.module, names),
        )
        yield with_fix(finding, fix, run, event)


def publish(run: RunView) -> Iterator[_Training]:
    """What a script has several processes train, if it watches metrics of that."""
    watched = {name: event for event in run.events(WatchMetric) for name in _names(event.name)}
    if not watched or not run.is_script:
        return
    trained = {
        made.definition.module
        for event in run.events(Fit)
        for made in objects(event.model, "model")
        if made.definition is not None
    }
    for event in run.events(Delegate):
        if any(run.traits(trainer).get("multi_process") for trainer in objects(event.result, "trainer")):
            places = tuple((name, each.location) for name, each in watched.items())
            yield _Training(event.location, places, frozenset({run.run.module, *trained}))
            return


def join(finding: Finding, shared: Shared[_Training]) -> Finding | None:
    """The script that has the model trained decides by the metric."""
    module, names = cast("tuple[str, tuple[str, ...]]", finding.about)
    training = next((each for each in shared.project if module in each.modules), None)
    watched = dict(training.watched) if training is not None else {}
    reader = next((watched[name] for name in names if name in watched), None)
    if training is None or reader is None:
        return None
    evidence = (
        Evidence("the metric is watched here", reader),
        Evidence("several processes train here", training.trainer),
    )
    return replace(finding, evidence=evidence)


def _evaluates(event: Event, hooks: re.Pattern[str]) -> bool:
    """Whether the call happens in a method that the trainer calls while it evaluates."""
    return any(node.function is not None and hooks.search(node.function.name) for node in event.context.chain())


def _logged(event: LogMetric) -> Iterator[tuple[str, Value]]:
    """The metrics by name."""
    value = event.value
    if not is_absent(event, "name") and value is not None:
        for name in _names(event.name):
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
    tags = NO_TAGS.union(*map(tags_of, parts(value)))
    return DATA in tags and not tags & {UNIFORM, METRIC}
