"""Finds releases of Keras that train wrongly under strategies of TensorFlow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Location,
    Pin,
    RunView,
    Severity,
    one_for_records,
    requiring,
    strategies,
    surely,
    units,
)
from ddl_lint.rulekit.events import Fit, OptimizerStep

_NOT_ADDED = ">=3.0,<3.5"
"""Each replica keeps its own gradient."""

_RIGHT = ">=3.8"
"""The first release that does both is the least that will do."""

_NOT_DIVIDED = ">=3.5,<3.8"
"""The loss of `fit` is too large by the number of replicas."""


def publish(run: RunView) -> Iterable[object]:
    """Where strategies are made that replicate what is trained, and whether Keras does it."""
    fits = any(run.api.framework(event.api) == "keras" for event in run.events(Fit))
    steps = any(run.api.framework(event.api) == "keras" for event in run.events(OptimizerStep))
    for made in strategies(run) if run.is_script and (fits or steps) else ():
        yield (made.location, fits)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per requirement."""
    return one_for_records(project, _found(project))


def _found(project: JobsView) -> Iterable[Finding]:
    pinning = [unit for unit in units(project) if unit.pin("keras") is not None] if any(project.told.values()) else []
    paths = [unit.path for unit in pinning]
    nearest = {script: project.nearest(paths, script) for script, facts in project.told.items() if facts}
    for unit in pinning:
        pin = unit.pin("keras")
        used = [fact for script, meant in nearest.items() if unit.path in meant for fact in project.told[script]]
        if pin is None or unit.pin("tf-keras") is not None or not used:
            continue
        location, fits = next(iter(sorted(used, key=lambda fact: not fact[1])))  # pyright: ignore
        assert isinstance(location, Location)
        evidence = (Evidence("the strategy is created here", location),)
        if surely(pin, _NOT_ADDED):
            message = "this Keras does not sum gradients over replicas, so their models drift apart"
            yield _fixed(Finding(message, pin.location, evidence), pin)
        elif surely(pin, _NOT_DIVIDED) and fits:
            message = "`fit` of this Keras release does not divide the loss by the number of replicas"
            yield _fixed(Finding(message, pin.location, evidence, severity=Severity.WARNING), pin)


def _fixed(finding: Finding, pin: Pin) -> Finding:
    """The finding with a fix that asks for a release that does both, where the requirement has a version of its own."""
    fix = requiring("Require Keras 3.8 or newer", pin, _RIGHT)
    if fix is None:
        return replace(finding, unfixable="the requirement is written in a form that cannot be taken over")
    return replace(finding, fix=fix)
