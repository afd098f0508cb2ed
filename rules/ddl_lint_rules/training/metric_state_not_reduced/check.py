"""Finds states of metrics that each rank adds up for itself, and that nothing adds up over the ranks."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    ClassRef,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    code,
    in_handler,
    is_absent,
    objects,
    walk,
)
from ddl_lint.rulekit.events import AddMetricState


def check(run: RunView) -> Iterable[Finding]:
    """One finding per metric, at the first of its states that is not reduced."""
    seen: set[ClassRef] = set()
    for event in run.events(AddMetricState):
        name, metrics = event.name, objects(event.metric)
        owner = metrics[0].definition if len(metrics) == 1 else None
        if owner is None or owner in seen or not isinstance(name, Const) or in_handler(event):
            continue
        place = _added(run, owner, str(name.value))
        if place is not None and _is_tensor_alone(event) and not _joins(run, owner):
            seen.add(owner)
            yield Finding(
                f"`{name.value}` of each rank is stacked, not added up: `add_state` gets no `dist_reduce_fx`",
                event.location,
                (Evidence("each rank adds its own samples here", place),),
            )


def _is_tensor_alone(event: Event) -> bool:
    """Whether a state is a tensor that nothing reduces."""
    value = event.operands.get("value")
    return is_absent(event, "reduction") and isinstance(value, Object) and value.kind == "tensor"


def _added(run: RunView, owner: ClassRef, name: str) -> Location | None:
    """Where a method of the class adds to a state."""
    module = next((each for each in run.modules.values() if each.name == owner.module), None)
    for method in owner.definition.body if module is not None else ():
        for node in walk(method):
            target = _increased(node)
            if isinstance(target, code.Attribute) and target.attr == name and module is not None:
                return Location(module.path, target.start, target.end)
    return None


def _increased(node: object) -> code.Expression | None:
    """What a statement adds to: `x += y`, or `x = x + y`."""
    if isinstance(node, code.Augment):
        return node.target
    if not isinstance(node, code.Assign) or len(node.targets) != 1 or not isinstance(node.value, code.Binary):
        return None
    target, left = node.targets[0], node.value.left
    is_same = isinstance(target, code.Attribute) and isinstance(left, code.Attribute) and target.attr == left.attr
    return target if is_same else None


def _joins(run: RunView, owner: ClassRef) -> bool:
    """Whether what computes the result may join states itself, or is of another class."""
    methods = [each for each in owner.definition.body if isinstance(each, code.Function)]
    computing = next((each for each in methods if each.name == "compute"), None)
    if computing is None or any(isinstance(base, ClassRef) for base in owner.bases):
        return True
    return not computing.mentions.isdisjoint(run.api.conventions.names.get("state_joining_names", ()))
