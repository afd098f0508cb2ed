"""On which device a tensor is, as far as the program says it: followed back to the calls that made or moved it."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.models.tensors import is_input, operands_of
from ddl_lint.analysis.values.certainty import is_number
from ddl_lint.analysis.values.devices import devices
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program.heap import Heap
from ddl_lint.program.values import (
    NONE,
    Alternatives,
    Apply,
    Items,
    Object,
    Value,
)

_DEEPEST = 6


def on_cpu(value: Value | None, heap: Heap) -> tuple[Object, ...]:
    """The tensors that keep a value on the CPU: what was made there, or taken there; nothing when it may be elsewhere.

    A tensor that a module keeps goes where the module goes. Holds as long as new tensors are made on the CPU.
    """
    found = None if value is None else _all_of(alternatives(value), heap, 0)
    return tuple(dict.fromkeys(found)) if found else ()


def _all_of(values: tuple[Value, ...], heap: Heap, depth: int) -> list[Object] | None:
    """What keeps all of some tensors on the CPU; None when one of them may be elsewhere."""
    found: list[Object] = []
    for value in values:
        sources = _sources(value, heap, depth) if isinstance(value, Object) else None
        if sources is None:
            return None
        found += sources
    return found


def _sources(tensor: Object, heap: Heap, depth: int) -> list[Object] | None:
    if tensor.kind != "tensor" or heap.is_kept(tensor) or depth > _DEEPEST:
        return None
    if "moved" in tensor.given:
        return [tensor] if _is_cpu(tensor.given["moved"]) else None
    if "device" in tensor.given and tensor.given["device"] != NONE:
        return [tensor] if _is_cpu(tensor.given["device"]) else None
    operands = tuple(operands_of(tensor))
    if operands:
        return _all_of(operands, heap, depth + 1) if _has_no_other(tensor) else None
    if "like" in tensor.given:
        like = tensor.given["like"]
        if isinstance(like, Object) and like.kind == "tensor":
            return _all_of((like,), heap, depth + 1)
        if "data" not in tensor.given:
            return None  # `zeros_like` takes nothing but a tensor, which cannot be seen
        return [tensor] if _is_list(like) or is_number(like) else None
    if "data" in tensor.given:
        return [tensor] if _is_list(tensor.given["data"]) or not _may_be_tensor(tensor.given["data"], heap) else None
    return [tensor] if "device" in tensor.given else None  # made by a call that could have been given a device


def _has_no_other(tensor: Object) -> bool:
    """Whether nothing but the known operands can have decided where the result of an operation is."""
    others = tensor.given.get("others")
    return all(
        is_number(other) or other == NONE or (isinstance(other, Object) and other.kind == "tensor")
        for held in (others.items if isinstance(others, Items) else ())
        for other in (held.items if isinstance(held, Items) else (held,))
    )


def _is_cpu(device: Value) -> bool:
    named = devices(device)
    return bool(named) and all(each.kind == "cpu" for each in named)


def _is_list(value: Value) -> bool:
    """Whether a value is a list of things: what a factory makes of one is new."""
    return isinstance(value, Items) or (isinstance(value, Apply) and value.operator in ("each", "filtered", "list"))


def _may_be_tensor(value: Value, heap: Heap) -> bool:
    """Whether a value may well be a tensor that lives with the model, so that the call would make a copy there."""
    if isinstance(value, (Apply, Alternatives)) and not is_number(value):
        inner = value.operands if isinstance(value, Apply) else alternatives(value)
        return any(_may_be_tensor(each, heap) for each in inner)
    return isinstance(value, Object) or is_input(value, heap)
