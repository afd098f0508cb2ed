"""Finds releases of Keras that train wrongly under strategies of TensorFlow."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, Location, RunView, Severity, strategies, surely, units

_NOT_ADDED = ">=3.0,<3.5"
"""Each replica keeps its own gradient."""

_NOT_DIVIDED = ">=3.5,<3.8"
"""The loss of `fit` is too large by the number of replicas."""


def publish(run: RunView) -> Iterable[object]:
    """Where strategies are made that replicate what is trained, and whether Keras does it."""
    fits = any(run.api.framework(event.api) == "keras" for event in run.events("fit"))
    steps = any(run.api.framework(event.api) == "keras" for event in run.events("optimizer_step"))
    for made in strategies(run) if run.is_script and (fits or steps) else ():
        yield (made.location, fits)


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per requirement."""
    used = [fact for facts in around.told.values() for fact in facts]
    for unit in units(around) if used else ():
        pin = unit.pin("keras")
        if pin is None or unit.pin("tf-keras") is not None:
            continue
        location, fits = next(iter(sorted(used, key=lambda fact: not fact[1])))  # pyright: ignore
        assert isinstance(location, Location)
        evidence = (Evidence("the strategy is created here", location),)
        if surely(pin, _NOT_ADDED):
            message = "Wrong result: this Keras does not sum gradients over replicas, so their models drift apart"
            yield Finding(message, pin.location, evidence)
        elif surely(pin, _NOT_DIVIDED) and fits:
            message = "Wrong result: `fit` of this Keras release does not divide the loss by the number of replicas"
            yield Finding(message, pin.location, evidence, severity=Severity.WARNING)
