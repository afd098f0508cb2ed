"""Finds averaging optimizers, and operations in the background, that give the same name to several tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Heap,
    Items,
    Object,
    RunView,
    Severity,
    Unknown,
    contradicts,
    excludes,
    is_absent,
    is_constant,
    loops,
    objects,
    objects_in,
    with_fix,
)
from ddl_lint.rulekit.domain import Parameter
from ddl_lint.rulekit.events import Collective, OptimizerStep, Prepare, UseResult, Wait
from ddl_lint_rules.training.hvd_duplicate_tensor_names.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per second optimizer, and per operation that repeats its name."""
    if not run.is_script:
        return
    named = [
        event
        for event in run.events(Prepare)
        if (function := run.api.function(event.api)) is not None and "named" in function.roles
    ]
    reported: set[Event] = set()
    for first, second in combinations(named, 2):
        if second in reported or excludes(first.context, second.context) or not _step_together(run, first, second):
            continue
        clash = _clash(run, first, second)
        if clash is not None and not contradicts(first.context, second.context):
            reported.add(second)
            finding = Finding(
                "this optimizer uses the same tensor names as another one",
                second.location,
                (Evidence("the other optimizer", first.location),),
                severity=clash,
                help="Give each optimizer names of its own, such as `named_parameters(prefix=...)` of its model.",
            )
            yield with_fix(finding, fix, run, first, second)
    yield from _repeated(run)


def _step_together(run: RunView, first: Event, second: Event) -> bool:
    """Whether both optimizers make steps in the same iteration of a loop."""
    own_loops = [
        {
            loop
            for event in run.events(OptimizerStep)
            if made.result in objects(event.optimizer)
            for loop in loops(event.context)
        }
        for made in (first, second)
    ]
    return first.result is not second.result and bool(own_loops[0] & own_loops[1])


def _clash(run: RunView, first: Prepare, second: Prepare) -> Severity | None:
    """How surely two optimizers use the same names; None where they may not."""
    if is_absent(first, "named") and is_absent(second, "named"):
        return Severity.ERROR  # what is generated is counted from zero by each
    one, other = _model(first), _model(second)
    if one is None or other is None or one is other:
        return None
    if one.definition is not None and one.definition == other.definition:
        return Severity.ERROR
    own, others = _names(one, run.heap), _names(other, run.heap)
    return Severity.WARNING if not own or not others or own & others else None


def _model(event: Prepare) -> Object | None:
    """The one model from which parameters come under their plain names."""
    value = event.named
    if not isinstance(value, Items):
        return None
    models: list[Object] = []
    for pair in value.items:
        if not isinstance(pair, Items) or len(pair.items) != 2 or not isinstance(pair.items[0], Unknown):
            return None
        for parameter in objects(pair.items[1], "parameter"):
            prefix = parameter.given.get("prefix")
            if prefix is not None and not is_constant(prefix, "", None):
                return None
            models += objects(Parameter(parameter).model, "model")
    return models[0] if len(models) == 1 else None


def _names(model: Object, heap: Heap) -> set[str]:
    """The first parts of the names of a model's parameters, as far as they are known."""
    return {name for name, value in heap.attributes(model).items() if objects_in(value)}


def _repeated(run: RunView) -> Iterator[Finding]:
    """Operations in the background that start again under their name before they have finished."""
    for event in run.events(Collective):
        around = loops(event.context)[:1]
        names = [made.given.get("name") for made in objects(event.result, "handle")]
        if not around or not names or not is_constant(event.asynchronous, True):
            continue
        waited = any(around[0] in loops(other.context) for other in run.events(Wait, UseResult, OptimizerStep))
        if all(isinstance(name, Const) and isinstance(name.value, str) for name in names) and not waited:
            label = next(str(name.value) for name in names if isinstance(name, Const))
            yield Finding(
                f"each iteration starts an operation named `{label}` before the last one has finished",
                event.location,
                (Evidence("in this loop", around[0].location),),
                severity=Severity.ERROR,
                help="Put the number of the iteration into the name, or wait for the operation in the loop.",
                unfixable="cannot tell how to name the tensors",
            )
