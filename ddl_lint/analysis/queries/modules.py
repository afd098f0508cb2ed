"""Questions about models: what they are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from ddl_lint.analysis.syntactic.mentions import set_on_others
from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.values.contexts import loops
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.analysis.view import RunView
from ddl_lint.program.event_types import RegisterBuffer, RegisterModule, RegisterParameter, Store
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Object, Unknown

_KINDS = frozenset({"model", "parameter", "tensor"})


def module_children(run: RunView) -> Mapping[Object, list[Object]]:
    """What the modules of a run hold: the objects that were stored on them or registered with them."""
    return run.once(_children)


def _children(run: RunView) -> Mapping[Object, list[Object]]:
    held: dict[Object, list[Object]] = defaultdict(list)
    for event in run.events(Store, RegisterModule, RegisterParameter, RegisterBuffer):
        owner = event.operands.get("object", event.operands.get("module"))
        if isinstance(owner, Object):
            for role in ("value", "child", "tensor"):
                value = event.operands.get(role)
                if value is not None:
                    held[owner].extend(objects_in(value))
    return held


def parts_of(module: Object, held: Mapping[Object, list[Object]]) -> set[Object]:
    """A module, parameter or tensor, and all that it holds, was built from, or belongs to; `held` is of `children`."""
    found: set[Object] = set()
    stack = [module]
    while stack:
        item = stack.pop()
        if item in found or item.kind not in _KINDS:
            continue
        found.add(item)
        stack.extend(held.get(item, ()))
        for value in item.given.values():
            stack.extend(objects_in(value))
    return found


def wrapped(wrap: Event) -> list[Object]:
    """What a `wrap_model` event wraps: a model, or each of the layers that the loop around it goes through."""
    model = wrap.operands.get("model")
    if not isinstance(model, Unknown):
        return objects(model, "model")
    around = loops(wrap.context)
    source = around[0].value if around else None
    lists = [each for each in objects_in(source) if each.kind == "model"] if source is not None else []
    held = [layer for each in lists for value in each.given.values() for layer in objects_in(value)]
    return [layer for layer in held if layer.kind == "model"] or lists


def wrapper_trait(wrap: Event, trait: str) -> object:
    """A trait of what a `wrap_model` event makes: of the object, or of the model that it changes in place."""
    made = objects(wrap.result)
    return wrap.traits.get(trait) or (made[0].traits.get(trait) if made else None)


def is_set_from_outside(run: RunView, name: str) -> bool:
    """Whether some file of a program assigns an attribute of this name on anything but `self`."""
    return name in run.once(_set_from_outside)


def _set_from_outside(run: RunView) -> frozenset[str]:
    return frozenset[str]().union(*map(set_on_others, run.modules.values()))
