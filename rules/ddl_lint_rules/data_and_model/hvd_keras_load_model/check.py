"""Finds models that are restored with a plain optimizer and trained further by several processes."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.analysis.values.certainty import is_constant, objects
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.finding import Evidence, Finding
from ddl_lint.fixes.build import with_fix
from ddl_lint.program.trace import Event
from ddl_lint.program.values import NONE, ClassRef, Const, FunctionRef, Object, Symbol, Table, Value
from ddl_lint_rules.data_and_model.hvd_keras_load_model.fix import fix


def check(project: ProjectView) -> Iterable[Finding]:
    """One finding per call that loads."""
    for run in project.runs:
        if not run.groups():
            continue
        for load in run.events("load"):
            for model in objects(load.result, "model"):
                fit = _trained_at(run, load, model)
                if fit is not None and not _may_bring_wrapper(project.program_of(run), model):
                    finding = Finding(
                        "the restored model trains with a plain optimizer: the ranks do not share their gradients",
                        load.location,
                        (Evidence("the model is trained here", fit.location),),
                    )
                    yield with_fix(finding, fix, project, run.groups()[0], load)


def _trained_at(run: RunView, load: Event, model: Object) -> Event | None:
    """Where the ranks train a model with the optimizer that it was saved with."""
    if run.heap.is_escaped(model) or is_constant(model.given.get("compile"), False):
        return None
    if model.traits.get("synchronizes_gradients"):
        return None
    told = [
        event
        for event in run.events("compile", "store")
        if model in objects(event.operands.get("model", event.operands.get("object")))
        and event.operands.get("name", Const("optimizer")) == Const("optimizer")
    ]
    for fit in run.events("fit"):
        if fit.order > load.order and model in objects(fit.operands.get("model")) and _is_shared(run, fit):
            return None if any(event.order < fit.order for event in told) else fit
    return None


def _is_shared(run: RunView, fit: Event) -> bool:
    """Whether the program means the ranks to train one model: it wraps optimizers, or lets callbacks talk to the
    ranks."""
    made = [each for event in run.events("prepare") for each in objects(event.result)]
    called = objects_in(fit.operands.get("callbacks", NONE))
    return any(
        each in called or (each.kind == "optimizer" and each.traits.get("synchronizes_gradients")) for each in made
    )


def _may_bring_wrapper(program: ProjectView, model: Object) -> bool:
    """Whether the call that loads may have been told how to wrap the optimizer."""
    custom = model.given.get("custom_objects", NONE)
    if custom == NONE:
        return False
    return not isinstance(custom, Table) or custom.open or any(_may_wrap(program, value) for _, value in custom.items)


def _may_wrap(program: ProjectView, value: Value) -> bool:
    """Whether a class or function may make a wrapped optimizer."""
    if isinstance(value, FunctionRef):
        return any(event.function is value.function for run in program.runs for event in run.events("prepare"))
    if isinstance(value, Symbol):
        function = program.api.function(value.name)
        return function is not None and "gradient_sync" in function.provides
    return not isinstance(value, ClassRef)
