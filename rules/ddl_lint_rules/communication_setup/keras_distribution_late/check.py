"""Finds distributions of Keras that come too late, or that the backend ignores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Claim,
    Evidence,
    Finding,
    Object,
    RunView,
    Severity,
    asked_for,
    is_constant,
    library_names,
    objects,
    with_fix,
)
from ddl_lint.rulekit.events import Delegate, Fit, OpenScope, SetEnvironment, StartRuntime
from ddl_lint_rules.communication_setup.keras_distribution_late.fix import initialize_first, set_first

_FRAMEWORK = "keras"

_BACKEND = "KERAS_BACKEND"

_OTHERS = ("jax", "flax", "torch")
"""Who imports these knows of a backend that is set elsewhere."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per distribution."""
    for event in run.events(OpenScope):
        for strategy in objects(event.strategy, "strategy"):
            if not strategy.traits.get("even_batches"):
                continue
            late = (
                model
                for fit in run.events(Fit)
                if fit.order > event.order
                for model in objects(fit.model, "model")
                if model.number < strategy.number and model.definition is None
            )
            model = next(late, None)
            if model is not None:
                message = "the distribution is set after the model is built, whose weights are on one device already"
                finding = Finding(message, event.location, (Evidence("the model is built here", model.location),))
                yield with_fix(finding, set_first, run, event, asked_for(run, model, event))
                continue
            yield from _ignored(run, event.order, strategy.location)
            yield from _unset(run, strategy)
    yield from _late(run)


def _late(run: RunView) -> Iterator[Finding]:
    """Where the processes meet only after devices were asked for."""
    begun = next((event for event in run.events(StartRuntime) if run.api.framework(event.api) == _FRAMEWORK), None)
    for event in run.events(Delegate):
        is_ours = "process_group" in event.provides and run.api.framework(event.api) == _FRAMEWORK
        if is_ours and begun is not None and begun.order < event.order:
            message = "`initialize()` must be called before any call that uses devices"
            evidence = (Evidence("devices are used here first", begun.location),)
            advice = "Call `initialize()` at the start of the program."
            finding = Finding(message, event.location, evidence, help=advice)
            yield with_fix(finding, initialize_first, run, event, begun)


def _unset(run: RunView, strategy: Object) -> Iterator[Finding]:
    """A program that never asks for a backend, or asks when Keras has its own already."""
    told = [each for each in run.events(SetEnvironment) if is_constant(each.variable, _BACKEND)]
    module = run.module_at(strategy.location.path)
    if module is None or run.may_set(_BACKEND):
        return
    if not told and not library_names(module, lambda name: name.partition(".")[0] in _OTHERS):
        message = Claim(
            "`KERAS_BACKEND` is not set; Keras ignores the distribution with TensorFlow, the default", "wasted-work"
        )
        reason = "whether the program works with another backend is for you to say"
        advice = "Set `KERAS_BACKEND` to `jax` before Keras is imported."
        yield Finding(message, strategy.location, severity=Severity.WARNING, help=advice, unfixable=reason)
    for event in told:
        own = run.module_at(event.location.path)
        uses = library_names(own, lambda name: name.partition(".")[0] == _FRAMEWORK) if own is not None else []
        if uses and uses[0].imported and uses[0].location.start < event.location.start:
            message = Claim(
                f"Keras reads `{_BACKEND}` when it is imported, so this assignment has no effect", "wasted-work"
            )
            evidence = (Evidence("Keras is imported here first", uses[0].location),)
            reason = "other statements may have to move with it"
            yield Finding(message, event.location, evidence, unfixable=reason)


def _ignored(run: RunView, order: int, place: object) -> Iterator[Finding]:
    for told in run.events(SetEnvironment):
        is_backend = is_constant(told.variable, "KERAS_BACKEND")
        if is_backend and is_constant(told.value, "tensorflow") and told.order < order:
            message = Claim("Keras ignores the distribution with the `tensorflow` backend", "wasted-work")
            reason = "whether the program works with another backend is for you to say"
            advice = "Set `KERAS_BACKEND` to `jax`."
            yield Finding(message, told.location, severity=Severity.WARNING, help=advice, unfixable=reason)
