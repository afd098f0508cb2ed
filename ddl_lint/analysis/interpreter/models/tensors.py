"""Tensors: what they are made of, and where one that a module keeps meets the data of the model.

Shapes are followed only as far as a rule needs them: the least number of dimensions that a tensor surely has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ddl_lint.analysis.interpreter.machine import Machine
from ddl_lint.analysis.values.bounded import RELATIONS
from ddl_lint.analysis.values.tags import LOCAL_TAGS, forward_tags, tags_now, tags_of
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.program.heap import Heap
from ddl_lint.program.tags import DATA, NO_TAGS, NUMBER, SHARE, SIZE, Tags
from ddl_lint.program.values import NONE, Apply, Const, Items, Object, Symbol, Unknown, Value
from ddl_lint.source.span import Location

_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**", "@", "index", "slice", "derived"})
_DEEPEST = 5
_LISTS = frozenset({"each", "filtered", "list"})

_OF_VALUE = frozenset({NUMBER})
_OF_FORM = frozenset({NUMBER, SIZE})


def is_about(api: ApiIndex, name: str, *, method: bool = False) -> bool:
    """Whether an attribute or method of a tensor gives no tensor, but a number or the like."""
    return name in api.tensor_names("fact_methods" if method else "facts")


def about_tags(api: ApiIndex, name: str, *, method: bool = False) -> Tags:
    """The tags of what an attribute or method of a tensor says about it."""
    if not is_about(api, name, method=method):
        return NO_TAGS
    return _OF_VALUE if name in api.tensor_names("value_methods") else _OF_FORM


def is_tensor(value: Value) -> bool:
    """Whether a value is an ordinary tensor, no parameter."""
    return isinstance(value, Object) and value.kind == "tensor"


def owner_of_parameter(api: ApiIndex, value: Value) -> Object | None:
    """The module that a value is surely a parameter of, or a view of one: `layer.weight`, `layer.weight.data`."""
    if isinstance(value, Symbol) and isinstance(value.receiver, Object) and value.receiver.kind == "model":
        return value.receiver if value.name.rpartition(".")[2] in api.tensor_names("parameters") else None
    if isinstance(value, Object) and value.kind == "parameter":
        owner = value.given.get("of")
        return owner if isinstance(owner, Object) else None
    return None


def operands_among(values: Iterable[Value]) -> Items | None:
    """The tensors and parameters among values, those in lists too."""
    found: list[Value] = []
    for value in values:
        if isinstance(value, Object) and value.kind in ("tensor", "parameter"):
            found.append(value)
        elif isinstance(value, Items):
            found.extend(
                item for item in value.items if isinstance(item, Object) and item.kind in ("tensor", "parameter")
            )
    return Items("tuple", tuple(found)) if found else None


def derived_tensor(
    m: Machine,
    location: Location,
    operands: list[Object],
    others: Iterable[Value] = (),
    *,
    dimensions: int | None = None,
    how: Mapping[str, Value] | None = None,
) -> Object:
    """The tensor that an operation makes of others; `others` are operands that may be tensors too, `how` is what else
    is known of the operation.
    """
    traits: dict[str, Any] = {"random": any(m.heap.is_random(operand) for operand in operands)}
    if dimensions is not None:
        traits["dimensions"] = dimensions
    api = next((operand.api for operand in operands if operand.kind == "tensor"), operands[0].api)
    given: dict[str, Value] = {"operands": Items("tuple", tuple(operands)), "others": Items("tuple", tuple(others))}
    return m.make("tensor", location, api, given=given, how=how, traits=traits)


def write_into(m: Machine, tensor: Object, value: Value) -> None:
    """What is written into a tensor, or into a part of one (`totals[0] += loss`), is what it depends on from now on."""
    tags = (m.tags_of(value) & LOCAL_TAGS) | forward_tags(value, m.heap)
    whole: Object | None = tensor
    while whole is not None and tags:
        m.depend(whole, tags)
        whole = next(operands_of(whole), None) if "chosen" in whole.given else None


def operands_of(tensor: Object) -> Iterator[Object]:
    """The tensors that a tensor was computed from."""
    held = tensor.given.get("operands")
    for item in held.items if isinstance(held, Items) else ():
        if isinstance(item, Object):
            yield item


def dimensions(tensor: Object, depth: int = 0) -> int:
    """The least number of dimensions that a tensor surely has."""
    known = tensor.traits.get("dimensions")
    if isinstance(known, int):
        return known
    if "reduced" in tensor.given or depth > _DEEPEST:
        return 0
    return max((dimensions(operand, depth + 1) for operand in operands_of(tensor)), default=0)


def new_dimensions(tensor: Object) -> int:
    """The least number of dimensions of what a factory makes, by what it was given."""
    size, data, like = tensor.given.get("size"), tensor.given.get("data"), tensor.given.get("input")
    if isinstance(size, Items):
        inner = size.items[0] if len(size.items) == 1 else None
        if isinstance(inner, Items):
            return len(inner.items)
        return 1 if inner is not None and not isinstance(inner, (Const, Apply)) else len(size.items)
    if "ndarray" in tensor.given:
        return 1
    if "data" in tensor.given:
        is_list = isinstance(data, Items) or (isinstance(data, Apply) and data.operator in _LISTS)
        return 1 if is_list else 0
    if "input" in tensor.given:
        return dimensions(like) if isinstance(like, Object) else 0
    return 0 if "obj" in tensor.given or "s" in tensor.given else 1


def indexed_dimensions(tensor: Object, index: Value) -> int:
    """The least number of dimensions of `tensor[index]`."""
    count = dimensions(tensor)
    for part in index.items if isinstance(index, Items) and index.kind == "tuple" else (index,):
        if part == NONE:
            count += 1
        elif not (part == Const(...) or (isinstance(part, Apply) and part.operator == "bounds")):
            count -= 1
    return max(count, 0)


# --- type of the numbers, form, and length ----------------------------------------------------------------------------

_TYPES = {"float": "float32", "double": "float64", "half": "float16", "long": "int64", "int": "int32", "short": "int16"}
_OF_MASKS = frozenset({"&", "|", "^", "~"})


def number_type(tensor: Value, depth: int = 0) -> str | None:
    """The type of a tensor's numbers (`int64`), as it is given or follows from literals; None where it is not known."""
    if not isinstance(tensor, Object) or tensor.kind != "tensor" or depth > _DEEPEST:
        return None
    dtype = tensor.given.get("cast", tensor.given.get("dtype", NONE))
    if isinstance(dtype, Symbol):
        name = dtype.name.rpartition(".")[2]
        return _TYPES.get(name, name)
    if dtype != NONE:
        return None
    usual, like = tensor.given.get("default_dtype"), tensor.given.get("like")
    if isinstance(usual, Const):
        return str(usual.value)
    if like is not None:
        return number_type(like, depth + 1)
    if "moved" in tensor.given:
        return next((number_type(operand, depth + 1) for operand in operands_of(tensor)), None)
    for name in ("data", "fill_value", "range"):
        if name in tensor.given:
            return _type_of_literals(tensor.given[name])
    return None


def _type_of_literals(value: Value) -> str | None:
    """The type that PyTorch gives to numbers written in the code."""
    if isinstance(value, Items) and value.items and not value.open:
        found = {_type_of_literals(item) for item in value.items}
        return "float32" if found == {"float32", "int64"} else found.pop() if len(found) == 1 else None
    if isinstance(value, Const):
        return {"bool": "bool", "int": "int64", "float": "float32"}.get(type(value.value).__name__)
    return None


def form(tensor: Value, depth: int = 0) -> tuple[int, ...] | None:
    """The shape of a tensor where it is given in numbers."""
    if not isinstance(tensor, Object) or tensor.kind != "tensor" or depth > _DEEPEST:
        return None
    if "moved" in tensor.given or "cast" in tensor.given:
        return next((form(operand, depth + 1) for operand in operands_of(tensor)), None)
    if "like" in tensor.given:
        return form(tensor.given["like"], depth + 1)
    if "size" in tensor.given:
        size = tensor.given["size"]
        if isinstance(size, Items) and len(size.items) == 1 and isinstance(size.items[0], Items):
            size = size.items[0]
        return _numbers(size)
    return _form_of_literals(tensor.given["data"]) if "data" in tensor.given else None


def _numbers(size: Value) -> tuple[int, ...] | None:
    parts = size.items if isinstance(size, Items) and not size.open else (size,)
    numbers = [part.value for part in parts if isinstance(part, Const) and type(part.value) is int]
    return tuple(numbers) if len(numbers) == len(parts) else None


def _form_of_literals(value: Value) -> tuple[int, ...] | None:
    if isinstance(value, Const):
        return ()
    if not isinstance(value, Items) or value.open or not value.items:
        return None
    inner = {_form_of_literals(item) for item in value.items}
    first = inner.pop()
    return None if inner or first is None else (len(value.items), *first)


def has_own_length(value: Value, depth: int = 0) -> bool:
    """Whether the length of a tensor follows from the numbers in the data: what a mask has chosen of it."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, Apply) and value.operator == "chosen":
        return True
    if isinstance(value, Apply) and value.operator == "index":
        return _chooses(value.operands[1], depth)
    if isinstance(value, Object) and value.kind == "tensor":
        chosen = value.given.get("chosen")
        if chosen is not None and _begins_late(chosen):
            return any(has_own_length(operand, depth + 1) for operand in operands_of(value))
        if chosen is not None:
            return (chosen == Const(True) and value.given.get("least", NONE) == NONE) or _chooses(chosen, depth)
        if "moved" in value.given or "cast" in value.given:
            return any(has_own_length(operand, depth + 1) for operand in operands_of(value))
    return False


def _begins_late(index: Value) -> bool:
    """Whether an index keeps the end of each dimension, as `x[:, start:]` does."""
    bounds = index.items if isinstance(index, Items) else ()
    return bool(bounds) and all(
        isinstance(part, Apply) and part.operator == "bounds" and part.operands[1] == NONE for part in bounds
    )


def _chooses(index: Value, depth: int) -> bool:
    """Whether an index takes as many elements as the numbers in the data say: a mask, or what a mask has chosen."""
    return is_mask(index) or (isinstance(index, (Apply, Object)) and has_own_length(index, depth + 1))


def is_mask(index: Value, depth: int = 0) -> bool:
    """Whether an index surely says yes or no for each element of a tensor of data."""
    if depth > _DEEPEST:
        return False
    if isinstance(index, Apply):
        if index.operator in RELATIONS:
            return bool(tags_of(index) & {DATA, SHARE}) and NUMBER not in tags_of(index)
        return index.operator in _OF_MASKS and any(is_mask(operand, depth + 1) for operand in index.operands)
    if not isinstance(index, Object) or index.kind != "tensor":
        return False
    return "compared" in index.given


def kept_origin(tensor: Object, heap: Heap, depth: int = 0) -> Object | None:
    """The tensor on a module that this one was computed from, on the same device."""
    if heap.is_kept(tensor):
        return tensor
    if is_moved(tensor) or depth > _DEEPEST:
        return None
    return next(filter(None, (kept_origin(operand, heap, depth + 1) for operand in operands_of(tensor))), None)


def moved_tensor(
    m: Machine, tensor: Object, operands: Mapping[str, Value], given: Mapping[str, Value], location: Location
) -> Object:
    """What `tensor.to(...)` returns: another tensor, on another device unless only the type changes."""
    if tensor.kind not in ("tensor", "parameter"):
        return tensor
    device = operands.get("device")
    if isinstance(device, Symbol) or (device is None and "dtype" in given):
        how = {"cast": device if isinstance(device, Symbol) else given["dtype"]}
    else:
        how = {"moved": device if device is not None else NONE}
    return derived_tensor(m, location, [tensor], how=how)


def taken_away(m: Machine, api: str, value: Value, device: Value, location: Location) -> Value:
    """What `loss.cpu()` returns, where the loss is only known to come from the model: surely a tensor, on the CPU; so
    for one that is brought to a tensor which a module keeps.

    `api` is the class of tensors.
    """
    if not isinstance(value, (Unknown, Apply)) or not is_input(value, m.heap):
        return value
    if not _is_cpu(device) and not _is_of_kept(device, m.heap):
        return value
    return m.make("tensor", location, api, given={"others": Items("tuple", (value,)), "moved": device})


def may_be_itself(tensor: Object) -> bool:
    """Whether what a cast or a move gives may be the very tensor that it was asked of, which had that type, or may have
    been on that device, before.
    """
    if "moved" in tensor.given:
        source = _made_with(tensor, {"device", "moved"})
        return source is not None and _is_cpu(tensor.given["moved"]) is not is_moved(source)
    if "cast" not in tensor.given:
        return False
    source = _made_with(tensor, {"dtype"})
    return source is None or source.given["dtype"] == tensor.given["cast"]


def _made_with(tensor: Object, keys: set[str]) -> Object | None:
    """The nearest tensor that another one is made from, of which one of these is known."""
    source = next(operands_of(tensor), None)
    while source is not None and "moved" not in keys & source.given.keys() and not _says(source, keys):
        data = source.given.get("data")
        source = data if isinstance(data, Object) else next(operands_of(source), None)
    return source


def _says(tensor: Object, keys: set[str]) -> bool:
    return any(tensor.given.get(key, NONE) != NONE for key in keys)


def is_moved(tensor: Object) -> bool:
    """Whether a tensor was moved to, or made on, a device that the call names; the CPU does not count."""
    if "moved" in tensor.given:
        return not _is_cpu(tensor.given["moved"])
    device = tensor.given.get("device", NONE)
    return device != NONE and not _is_cpu(device)


def _is_of_kept(device: Value | None, heap: Heap) -> bool:
    """Whether a device is given as a tensor that a module keeps, or as the device of one."""
    return device is not None and any(kept_origin(tensor, heap) is not None for tensor in tensors_meant(device))


def tensors_meant(value: Value) -> Iterator[Object]:
    """The tensor that a value is, or that whose device it is."""
    meant = value.given.get("of") if isinstance(value, Object) and value.kind == "device" else value
    if isinstance(meant, Object) and meant.kind == "tensor":
        yield meant


def is_input(value: Value, heap: Heap, depth: int = 0) -> bool:
    """Whether a value comes from the model's input, a parameter or a layer's output, or was moved to a device."""
    if isinstance(value, Unknown):
        return DATA in value.tags and NUMBER not in value.tags
    if isinstance(value, Object):
        if value.kind == "parameter":
            return True
        if value.kind != "tensor" or heap.is_kept(value) or depth > _DEEPEST:
            return False
        if "moved" in value.given or is_moved(value):
            return is_moved(value) and not _is_of_kept(value.given.get("moved", value.given.get("device")), heap)
        if DATA not in tags_now(value, heap):
            return any(is_input(operand, heap, depth + 1) for operand in operands_of(value))
        return any(is_input(part, heap, depth + 1) for held in heap.made_of(value) for part in _flat(held))
    if isinstance(value, Apply) and value.operator in _ARITHMETIC and depth <= _DEEPEST:
        first = value.operands[:1] if value.operator in ("index", "slice") else value.operands
        return any(is_input(operand, heap, depth + 1) for operand in first)
    return False


def _is_cpu(device: Value) -> bool:
    return isinstance(device, Const) and device.value == "cpu"


def _flat(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Items) else (value,)
