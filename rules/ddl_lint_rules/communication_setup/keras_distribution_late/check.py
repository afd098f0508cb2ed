"""Finds distributions of Keras that come too late, or that the backend ignores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    RunView,
    Severity,
    is_constant,
    objects,
)

_FRAMEWORK = "keras"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per distribution."""
    for event in run.events("open_scope"):
        for strategy in objects(event.operands.get("strategy"), "strategy"):
            if not strategy.traits.get("even_batches"):
                continue
            late = (
                model
                for fit in run.events("fit")
                if fit.order > event.order
                for model in objects(fit.operands.get("model"), "model")
                if model.number < strategy.number and model.definition is None
            )
            model = next(late, None)
            if model is not None:
                message = (
                    "Crash: the distribution is set after the model is built, whose weights are on one device already"
                )
                yield Finding(message, event.location, (Evidence("the model is built here", model.location),))
                continue
            yield from _ignored(run, event.order, strategy.location)
    yield from _late(run)


def _late(run: RunView) -> Iterator[Finding]:
    """Where the processes meet only after devices were asked for."""
    begun = next((event for event in run.events("start_runtime") if run.api.framework(event.api) == _FRAMEWORK), None)
    for event in run.events("delegate"):
        is_ours = "process_group" in event.provides and run.api.framework(event.api) == _FRAMEWORK
        if is_ours and begun is not None and begun.order < event.order:
            message = "Crash: `initialize()` must be called before any call that uses devices"
            evidence = (Evidence("devices are used here first", begun.location),)
            yield Finding(message, event.location, evidence, help="Call `initialize()` at the start of the program.")


def _ignored(run: RunView, order: int, place: object) -> Iterator[Finding]:
    for told in run.events("set_environment"):
        is_backend = is_constant(told.operands.get("variable"), "KERAS_BACKEND")
        if is_backend and is_constant(told.operands.get("value"), "tensorflow") and told.order < order:
            message = "Wasted work: Keras ignores the distribution with the `tensorflow` backend"
            yield Finding(message, told.location, severity=Severity.WARNING, help="Set `KERAS_BACKEND` to `jax`.")
