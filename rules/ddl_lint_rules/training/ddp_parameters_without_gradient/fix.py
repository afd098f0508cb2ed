"""Tells DDP that some parameters get no gradient, or leaves a frozen model without a wrapper."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    add_keyword,
    argument_of,
    code,
    file_of,
    keyword,
    names_read,
    parameter_of,
    replace_expression,
    value_of,
    walk,
)

_ROLE = "find_unused_parameters"
_SLOWER = "each iteration then searches for unused parameters; deleting an unneeded layer is cheaper"
_STATE = "checkpoint keys lose their `module.` prefix"


def fix_unused(run: RunView, wrap: Event) -> Fix:
    """`DDP(model)` to `DDP(model, find_unused_parameters=True)`."""
    file = file_of(run, wrap.location)
    call = file.node(wrap.location, code.Call)
    if parameter_of(run, wrap.api, _ROLE) is None:
        raise Unfixable("this wrapper has no `find_unused_parameters`")
    given = argument_of(run, wrap.api, call, _ROLE)
    title = "Pass find_unused_parameters=True"
    if given is not None:
        return Fix(title, (replace_expression(file, value_of(given), "True"),), Applicability.UNSAFE, _SLOWER)
    if any(each.name is None for each in call.keywords) or keyword(call, _ROLE) is not None:
        raise Unfixable("cannot see all arguments of the wrapper")
    return Fix(title, (add_keyword(file, call, _ROLE, "True"),), Applicability.UNSAFE, _SLOWER)


def fix_frozen(run: RunView, wrap: Event) -> Fix:
    """`teacher = DDP(teacher)` to `teacher = teacher`."""
    file = file_of(run, wrap.location)
    call = file.node(wrap.location, code.Call)
    given = argument_of(run, wrap.api, call, "model")
    if given is None:
        raise Unfixable("the model is not written in this call")
    name = _target(file.module, call)
    if name is None:
        raise Unfixable("the wrapper has no name of its own here")
    if any(f"{name}.module" in names_read(*each.body) for each in run.modules.values()):
        raise Unfixable("the program also uses the model inside the wrapper, so its other uses would have to change")
    model = value_of(given)
    return Fix(
        "Use the frozen model without the wrapper",
        (replace_expression(file, call, file.source(model)),),
        Applicability.UNSAFE,
        _STATE,
    )


def _target(module: code.Module, call: code.Call) -> str | None:
    """The name that the result of a call is bound to."""
    for node in walk(module):
        if isinstance(node, code.Assign) and node.value is call and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, code.Name):
                return target.id
            if isinstance(target, code.Attribute) and isinstance(target.value, code.Name):
                return f"{target.value.id}.{target.attr}"
    return None
