"""What becomes of the outcome of a call: notes where the program computes with one that is not there, or not there yet,
where it lets go of the handle of a call that is still at work, and where it lets go of what a call wrote into.

A call that gives nothing gives `None` with the place of the call, so that a use of it far away can be traced back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ddl_lint.analysis.interpreter.machine import Frame, Machine
from ddl_lint.analysis.interpreter.models.call_sites import ModelledCall
from ddl_lint.analysis.interpreter.models.tensors import is_about, operands_of
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.frameworks.model import FunctionModel
from ddl_lint.program import code
from ddl_lint.program.tags import UNIFORM
from ddl_lint.program.values import FALSE, NONE, TRUE, Apply, Const, Items, Object, Symbol, Unknown, Value
from ddl_lint.source.span import Location

_COMPUTING = frozenset({"float", "int", "bool", "str", "sum", "max", "min", "round", "abs", "print", "sorted"})
"""Python's functions that look at what they are given."""

_ITERATING = frozenset({"list", "tuple", "set", "sorted", "zip", "filter", "map", "next", "iter", "enumerate", "len"})
"""Functions that take a sequence, whatever it holds."""

_CARRYING = frozenset(
    {"isinstance", "hasattr", "getattr", "setattr", "type", "id", "repr", "callable", "bool", "append", "appendleft",
     "put", "put_nowait", "add", "extend", "insert", "submit", "set_result", "partial", "dict"}
)  # fmt: skip
"""Functions and methods to which one may well hand nothing."""

_DEEPEST = 4


# --- what a call gives --------------------------------------------------------------------------------------------


def outcome(site: ModelledCall, result: Value) -> Value:
    """What a modelled call gives: one that waits until it is done gives no handle, but nothing."""
    model = site.model
    if "asynchronous" in model.roles and isinstance(result, Object) and result.kind == "handle":
        waits = "asynchronous" not in site.unseen and site.operands.get("asynchronous", FALSE) in (FALSE, NONE)
        return Const(None, site.location) if waits else result
    return Const(None, site.location) if result == NONE and model.event is not None else result


def is_empty(value: Value) -> bool:
    """Whether a value is the nothing that a call has given."""
    return isinstance(value, Const) and value.value is None and value.location is not None


def begin_work(m: Machine, site: ModelledCall, result: Value) -> None:
    """A call has begun to write into its arguments, and gave a handle to wait for."""
    if not handles_in(result):
        return
    m.run_state.has_pending_work = True
    if site.operands.get("asynchronous", FALSE) != TRUE:
        return
    unfinished = m.run_state.unfinished
    for name in site.model.mutates:
        held = site.given.get(name)
        if held is not None:
            unfinished.update(option for option in alternatives(held) if _is_trackable(option))
            unfinished.update(held for held in objects_in(held, deep=False) if held.kind == "tensor")
    unfinished.add(Unknown(site.location, frozenset({UNIFORM})))


def handles_in(value: Value) -> list[Object]:
    """The handles of calls at work in a value."""
    if isinstance(value, Object):
        return [value] if value.kind == "handle" else []
    if value.size == 1:  # nothing is in it; asked of each variable that is read
        return []
    return [held for held in objects_in(value) if held.kind == "handle"]


def _is_trackable(value: Value) -> bool:
    return isinstance(value, Unknown) and value.origin is not None


# --- what the program does with it --------------------------------------------------------------------------------


def record_use(
    m: Machine, frame: Frame, location: Location, *values: Value, name: str = "", only_shown: bool = False
) -> None:
    """Record that the program computes with a value that a call did not give, or has not finished.

    `name` is that of the attribute that it asks the value for; a value that is `only_shown` goes to a person.
    """
    unfinished = m.run_state.unfinished
    for value in values:
        for option in alternatives(value):
            if is_empty(option) or (unfinished and unfinished_part(unfinished, option) is not None):
                asked: dict[str, Value] = {"name": Const(name)} if name else {}
                shown: dict[str, Value] = {"shown": TRUE} if only_shown else {}
                m.emit(frame, "use_result", location, {"value": option, **asked, **shown})


def unfinished_part(unfinished: Collection[Value], value: Value, depth: int = 0) -> Value | None:
    """What a call writes into of which a value is a view, or which it is itself."""
    if value in unfinished:
        return value
    if depth > _DEEPEST:
        return None
    if isinstance(value, Apply) and value.operator == "index":
        return unfinished_part(unfinished, value.operands[0], depth + 1)
    if isinstance(value, Unknown) and isinstance(value.origin, tuple) and value.origin:  # pyright: ignore[reportUnknownMemberType]
        origin: object = value.origin[0]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        return next((each for each in unfinished if isinstance(each, Unknown) and each.origin == origin), None)
    if isinstance(value, Object) and value.kind == "tensor":
        for operand in operands_of(value):
            found = unfinished_part(unfinished, operand, depth + 1)
            if found is not None:
                return found
    return None


def record_arguments(m: Machine, frame: Frame, function: Value, values: Iterable[Value], location: Location) -> None:
    """Record what a call of a library computes with."""
    if isinstance(function, Object):
        if function.kind == "model":
            record_use(m, frame, location, *values)
        return
    if not isinstance(function, Symbol):
        return
    values = list(values)
    flat = [part for value in values for part in (value.items if isinstance(value, Items) else (value,))]
    name = function.name.rpartition(".")[2]
    if name not in _CARRYING:
        used = filter(is_empty, values if name in _ITERATING else flat)
        record_use(m, frame, location, *used, only_shown=function.name == "builtins.print")
    if m.run_state.unfinished and _computes(m, function, name):
        record_use(m, frame, location, *(part for part in flat if not is_empty(part)))


def _computes(m: Machine, function: Symbol, name: str) -> bool:
    """Whether a function surely reads what its arguments hold."""
    if function.name.startswith("builtins."):
        return name in _COMPUTING
    model = m.api.function(function.name)
    if model is None or model.event is not None or name in m.api.tensor_names("storage_methods"):
        return False
    return model.returns is not None and model.returns.kind == "instance" and "of" in model.returns.attributes


def record_method(m: Machine, frame: Frame, receiver: Value, name: str, location: Location) -> None:
    """Record that a method is called on a value."""
    if not m.run_state.unfinished or name in m.api.tensor_names("storage_methods"):
        return
    if name in m.api.tensor_names("value_methods") or not is_about(m.api, name, method=True):
        record_use(m, frame, location, *(option for option in alternatives(receiver) if not is_empty(option)))


# --- wrappers in tuples ----------------------------------------------------------------------------------------------


def record_tuple(m: Machine, frame: Frame, value: Value, name: str, location: Location) -> None:
    """Record that a tuple with a wrapper in it is asked for something that no tuple has."""
    if holds_wrapper(value) and not hasattr((), name):
        m.emit(frame, "missing_attribute", location, {"object": value, "name": Const(name)})


def holds_wrapper(value: Value) -> bool:
    """Whether a value is surely a tuple that a call gives of which one element is a wrapper."""
    if not isinstance(value, Items) or value.kind != "tuple" or value.open:
        return False
    return any(isinstance(item, Object) and "wrapper" in item.traits for item in value.items)


# --- what is written into -----------------------------------------------------------------------------------------


def written_as(model: FunctionModel, node: code.Call) -> dict[str, code.Expression]:
    """The expressions that a call gives for the parameters of a model, up to what it unpacks."""
    slots = [parameter.name for parameter in model.parameters or () if parameter.kind == "positional"]
    named = dict(zip(slots, node.args, strict=False))
    return named | {keyword.name: keyword.value for keyword in node.keywords if keyword.name is not None}
