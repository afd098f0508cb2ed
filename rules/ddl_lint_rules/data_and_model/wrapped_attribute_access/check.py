"""Finds attributes and methods of a model that are asked of its wrapper, which does not have them."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Apply,
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Value,
    catches,
    match,
    objects,
    undecided,
    with_fix,
)
from ddl_lint_rules.data_and_model.wrapped_attribute_access.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place."""
    for event in run.events("missing_attribute"):
        wrapper, name = event.operands["object"], event.operands["name"]
        if not isinstance(wrapper, Object) or "wrapper" not in wrapper.traits or not isinstance(name, Const):
            continue
        if catches(event.context, "AttributeError", "Exception", "BaseException") or _is_asked_before(event):
            continue
        kind = (wrapper.api or "").rpartition(".")[2]
        finding = Finding(
            f"`{name.value}` belongs to the model inside the wrapper: AttributeError: '{kind}' object has no "
            f"attribute '{name.value}'",
            event.location,
            (Evidence("the model is wrapped here", wrapper.location),),
        )
        yield with_fix(finding, fix, run, event)


def _is_asked_before(event: Event) -> bool:
    """Whether the program looks at the wrapper before it asks: `hasattr(model, "encode")`, `isinstance(model, DDP)`."""
    return any(node.value is not None and _asks(node.value, event) for node in undecided(event))


def _asks(condition: Value, event: Event) -> bool:
    if not isinstance(condition, Apply):
        return False
    if (asked := match.inspection(condition)) is not None:
        return any(part in objects(event.operands["object"]) for side in asked for part in objects(side))
    return any(_asks(part, event) for part in condition.operands)
