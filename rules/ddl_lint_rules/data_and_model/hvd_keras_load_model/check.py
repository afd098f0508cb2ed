"""Finds models that are restored with a plain optimizer and trained further by several processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, cast

from ddl_lint.rulekit import (
    NONE,
    ClassRef,
    Const,
    Event,
    Evidence,
    Finding,
    FunctionRef,
    Object,
    RunView,
    Shared,
    Symbol,
    Table,
    Value,
    called_name,
    idiom_at,
    is_constant,
    named,
    objects,
    objects_in,
    with_fix,
)
from ddl_lint.rulekit.domain import Trained
from ddl_lint.rulekit.events import Compile, Fit, Load, Prepare, Store
from ddl_lint_rules.data_and_model.hvd_keras_load_model.fix import fix

_FunctionId: TypeAlias = tuple[str, int]
"""The file of a function, and where in it the function starts."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that loads."""
    if not run.groups():
        return
    for load in run.events(Load):
        for model in objects(load.result, "model"):
            fit = _trained_at(run, load, model)
            if fit is not None and not _may_bring_wrapper(run, model):
                call = named("load_model", called_name, run, load.location)
                api = run.groups()[0].api
                averaging_load = idiom_at("hvd.load_model", run, load.location, api, "load_to_train")
                finding = Finding(
                    f"`{call}` restores a plain optimizer, so each rank trains its own model",
                    load.location,
                    (Evidence("the model is trained here", fit.location),),
                    help=f"Load with `{averaging_load}`, which wraps the optimizer again.",
                    about=frozenset(_functions_given(run, model)),
                )
                yield with_fix(finding, fix, run, run.groups()[0], load)


def publish(run: RunView) -> Iterator[_FunctionId]:
    """The functions in which the run wraps optimizers."""
    for event in run.events(Prepare):
        if event.function is not None:
            yield event.location.path, event.function.start


def join(finding: Finding, shared: Shared[_FunctionId]) -> Finding | None:
    """What a function of the program wraps is no plain optimizer."""
    given = cast("frozenset[_FunctionId]", finding.about)
    return None if given.intersection(shared.program) else finding


def _trained_at(run: RunView, load: Event, model: Object) -> Fit | None:
    """Where the ranks train a model with the optimizer that it was saved with."""
    if run.heap.is_escaped(model) or is_constant(model.given.get("compile"), False):
        return None
    if Trained(model).averages_gradients:
        return None
    replaced = [
        event
        for event in run.events(Compile, Store)
        if model in objects(event.operands.get("model", event.operands.get("object")))
        and event.operands.get("name", Const("optimizer")) == Const("optimizer")
    ]
    for fit in run.events(Fit):
        if fit.order > load.order and model in objects(fit.model) and _is_shared(run, fit):
            return None if any(event.order < fit.order for event in replaced) else fit
    return None


def _is_shared(run: RunView, fit: Event) -> bool:
    """Whether the program means the ranks to train one model: it wraps optimizers, or lets callbacks communicate."""
    made = [each for event in run.events(Prepare) for each in objects(event.result)]
    called = objects_in(fit.operands.get("callbacks", NONE))
    return any(each in called or (each.kind == "optimizer" and Trained(each).averages_gradients) for each in made)


def _may_bring_wrapper(run: RunView, model: Object) -> bool:
    """Whether the call that loads may know how to wrap the optimizer."""
    custom = model.given.get("custom_objects", NONE)
    if custom == NONE:
        return False
    return not isinstance(custom, Table) or custom.open or any(_may_wrap(run, value) for _, value in custom.items)


def _functions_given(run: RunView, model: Object) -> Iterator[_FunctionId]:
    """The functions that the call that loads was given."""
    custom = model.given.get("custom_objects")
    paths = {module.name: path for path, module in run.modules.items()}
    for _, value in custom.items if isinstance(custom, Table) else ():
        if isinstance(value, FunctionRef):
            yield paths.get(value.module, ""), value.function.start


def _may_wrap(run: RunView, value: Value) -> bool:
    """Whether a class or function may make a wrapped optimizer, as far as one run tells."""
    if isinstance(value, FunctionRef):
        return any(event.function is value.function for event in run.events(Prepare))
    if isinstance(value, Symbol):
        function = run.api.function(value.name)
        return function is not None and "gradient_sync" in function.provides
    return not isinstance(value, ClassRef)
