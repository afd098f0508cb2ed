"""Where a call is made for nothing: no code uses what it returns, or keeps what it writes into."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, Probes
from ddl_lint.analysis.interpreter.models.outcomes import holds_wrapper, written_as
from ddl_lint.analysis.interpreter.models.tensors import operands_of
from ddl_lint.analysis.syntactic.mentions import inside, is_read, is_read_after
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.model import FunctionModel
from ddl_lint.program import code
from ddl_lint.program.tags import UNIFORM
from ddl_lint.program.values import NONE, Apply, Const, Items, Object, Unknown, Value
from ddl_lint.source.span import Location


def drop_result(probes: Probes) -> None:
    """Record `drop_result`."""
    probes.on_drop.append(_dropped)


def lose_result(probes: Probes) -> None:
    """Record `lose_result`."""
    probes.on_modelled_call.append(_lost)


def leave_unread(probes: Probes) -> None:
    """Record `leave_unread`."""
    probes.on_drop.append(_given_to_nobody)
    probes.on_keep.append(_given_to)
    probes.on_unpack.append(_parts_given_to)


def _dropped(m: Machine, frame: Frame, node: code.Expression, value: Value) -> None:
    """A tuple with a wrapper in it is gone with the statement, or what all ranks have computed together."""
    if not isinstance(node, code.Call):
        return
    if holds_wrapper(value):
        m.emit(frame, "drop_result", frame.at(node), {"value": value})
    elif isinstance(value, Unknown) and UNIFORM in value.tags and node.args:
        first, module = node.args[0], m.codebase.module(frame.module)
        body = frame.function or (module.body if module is not None else ())
        if isinstance(first, code.Name) and is_read_after(body, first.id, node.end):
            m.emit(frame, "drop_result", frame.at(node), {"value": value, "read": Const(first.id)})


def _lost(m: Machine, frame: Frame, node: code.Call, model: FunctionModel, arguments: Arguments) -> None:
    """A collective writes into something that no code keeps."""
    if model.event != "collective":
        return
    escaped_to_caller = model.returns is None or model.returns.kind not in ("constant", "instance")
    if arguments.hides_some or escaped_to_caller:
        return
    slots = [parameter.name for parameter in model.parameters or () if parameter.kind == "positional"]
    values = dict(zip(slots, arguments.positional, strict=False)) | dict(arguments.keywords)
    is_temporary = _is_new_list if "object" in str(model.constants.get("operation")) else _is_new_tensor
    for name, written in written_as(model, node).items():
        if name in model.mutates and name in values and is_temporary(m.api, written, values[name]):
            m.emit(frame, "lose_result", frame.at(node), {"argument": values[name]}, api=model.name)
        elif name in model.mutates and isinstance(written, code.Name) and _is_unread(m, frame, node, written.id):
            operands = {"argument": values.get(name, NONE), "name": Const(written.id)}
            m.emit(frame, "lose_result", frame.at(node), operands, api=model.name)


def _is_unread(m: Machine, frame: Frame, node: code.Call, name: str) -> bool:
    """Whether a variable of this place is made, and given to this call, and otherwise not read."""
    module = m.codebase.module(frame.module)
    function = frame.function
    if function is not None and (name in frame.elsewhere or any(each.name == name for each in function.parameters)):
        return False
    body = function.body if function is not None else module.body if module is not None else ()
    given = {id(part) for part in inside(node)}
    bound = {id(target) for part in inside(body) if isinstance(part, code.Assign) for target in part.targets}
    uses = [part for part in inside(body) if isinstance(part, code.Name) and part.id == name]
    return any(id(part) in bound for part in uses) and all(id(part) in given | bound for part in uses)


def _given_to_nobody(m: Machine, frame: Frame, node: code.Expression, value: Value) -> None:
    """A call gives a loader, among other things perhaps, and all of it is gone with the statement."""
    for part in value.items if isinstance(value, Items) else (value,):
        if isinstance(node, code.Call) and isinstance(part, Object) and part.kind == "loader":
            m.emit(frame, "leave_unread", frame.at(node), {"object": part})


def _given_to(m: Machine, frame: Frame, target: code.Expression, value: Value, location: Location) -> None:
    """A loader is assigned to a name that nothing reads: `_`, above all."""
    if not isinstance(target, code.Name) or not isinstance(value, Object) or value.kind != "loader":
        return
    module = m.codebase.module(frame.module)
    if not is_read(frame.function or (module.body if module is not None else ()), target.id):
        m.emit(frame, "leave_unread", location, {"object": value})


def _parts_given_to(m: Machine, frame: Frame, target: code.Display, value: Value) -> None:
    if isinstance(value, Items) and not value.open and len(value.items) == len(target.items):
        for name, part in zip(target.items, value.items, strict=True):
            _given_to(m, frame, name, part, frame.at(target))


def _is_new_list(_: ApiIndex, node: code.Expression, value: Value) -> bool:
    if isinstance(node, code.Binary):
        return isinstance(node.left, code.Display) or isinstance(node.right, code.Display)
    if isinstance(node, code.Call):
        name = _called(node)
        return name in ("list", "tolist") and isinstance(node.func, code.Name if name == "list" else code.Attribute)
    return isinstance(node, (code.Display, code.Comprehension))


def _is_new_tensor(api: ApiIndex, node: code.Expression, value: Value) -> bool:
    """Whether an expression makes a tensor that nothing else holds.

    What is made of constants alone is no data: such a call is made to wait, or to warm up.
    """
    if isinstance(node, code.Binary):
        return node.operator in "+-*/@" and not isinstance(value, (Items, Const)) and not _is_list(value)
    return _is_fresh(api, node) and not _is_constant(value)


def _is_fresh(api: ApiIndex, node: code.Expression) -> bool:
    if not isinstance(node, code.Call):
        return False
    name = _called(node)
    if name in api.tensor_names("conversion_methods") and isinstance(node.func, code.Attribute):
        return _is_fresh(api, node.func.value)
    is_factory = name in api.tensor_names("factories") and isinstance(node.func, code.Attribute)
    return is_factory or name in api.tensor_names("copy_methods")


def _called(node: code.Call) -> str:
    if isinstance(node.func, code.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, code.Name) else ""


def _is_list(value: Value) -> bool:
    return isinstance(value, Apply) and any(isinstance(operand, Items) for operand in value.operands)


def _is_constant(value: Value) -> bool:
    """Whether a tensor is made of nothing but literals."""
    if isinstance(value, Const):
        return True
    if isinstance(value, Items):
        return all(map(_is_constant, value.items))
    if not isinstance(value, Object) or value.kind != "tensor" or value.traits.get("random"):
        return False
    operands = list(operands_of(value))
    made_of = [value.given[name] for name in ("data", "tensors", "size") if name in value.given]
    return all(map(_is_constant, [*operands, *made_of])) and bool(operands or made_of)
