"""Questions about models that are compiled: what has the name of the model in the program is a wrapper afterwards."""

from __future__ import annotations

from ddl_lint.analysis.syntactic.mentions import inside
from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.view import RunView
from ddl_lint.program import code
from ddl_lint.program.event_types import CompileModel
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Object


def compiled_before(run: RunView, model: Object, order: int) -> Event | None:
    """The call that has compiled a model before an event and that gives its name to the wrapper, so that no name of the
    program means the model inside any more; None where another name may.
    """
    for event in run.events(CompileModel):
        if event.order < order and objects(event.operands.get("model")) == [model] and _takes_name(run, event):
            return event
    return None


def _takes_name(run: RunView, event: Event) -> bool:
    """Whether the name of the model that is compiled is given to what the call returns, or there never was one."""
    module = run.module_at(event.location.path)
    nodes = list(inside(module.body)) if module is not None else []
    call = next((node for node in nodes if isinstance(node, code.Call) and _is_at(node, event)), None)
    if call is None or not call.args:
        return False
    model = call.args[0]
    if isinstance(model, code.Call):
        return True
    bound = [node for node in nodes if isinstance(node, code.Assign) and node.value is not None]
    given = any(node.value is call and len(node.targets) == 1 and _is_same(node.targets[0], model) for node in bound)
    return given and not any(node.value is not None and _is_same(node.value, model) for node in bound)


def _is_at(node: code.Call, event: Event) -> bool:
    return (node.start, node.end) == (event.location.start, event.location.end)


def _is_same(left: code.Expression, right: code.Expression) -> bool:
    """Whether two expressions are the same name, or the same attribute of one."""
    if isinstance(left, code.Name):
        return isinstance(right, code.Name) and left.id == right.id
    if isinstance(left, code.Attribute) and isinstance(right, code.Attribute):
        return left.attr == right.attr and _is_same(left.value, right.value)
    return False
