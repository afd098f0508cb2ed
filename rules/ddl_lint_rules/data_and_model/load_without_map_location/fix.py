"""Loads a checkpoint to the CPU, from where each value goes to the device of its parameter."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Applicability,
    Apply,
    Const,
    Event,
    File,
    Fix,
    RunView,
    Setting,
    Span,
    Table,
    Unfixable,
    Value,
    add_keyword,
    always,
    argument_of,
    code,
    file_of,
    is_constant,
    parameter_of,
    replace_expression,
    value_of,
    walk,
)
from ddl_lint.rulekit.events import LoadState, Save
from ddl_lint_rules.data_and_model.load_without_map_location.uses import WHOLE, other_uses

_ROLE = "map_location"
_HOST = "cpu"
_NUMBERS = frozenset({"range", "len", "text"})
"""Operators whose result is no tensor."""

_ARITHMETIC = frozenset({"element", "+", "-", "*", "/", "//", "%"})
"""Operators whose result is no tensor when their operands are none."""


def fix(run: RunView, load: Event, target: Event) -> Fix:
    """`torch.load(path)` to `torch.load(path, map_location="cpu")`; `target` is what takes the state."""
    if "assign" in target.unseen or not is_constant(target.operands.get("assign", Const(False)), False):
        raise Unfixable("the loaded tensors become the parameters themselves, so they must be on the right device")
    file = file_of(run, load.location)
    call = file.node(load.location, code.Call)
    name = parameter_of(run, load.api, _ROLE)
    if name is None:
        raise Unfixable("the call does not take a device")
    given = argument_of(run, load.api, call, _ROLE)
    if given is not None and any(isinstance(part, code.Name) and _is_parameter(file, part) for part in walk(given)):
        raise Unfixable("the device is a parameter, and callers may pass another one")
    if given is not None:
        edit = replace_expression(file, value_of(given), file.string(_HOST))
    elif _ROLE in load.operands:
        raise Unfixable("the device is not written in the call")
    else:
        edit = add_keyword(file, call, name, file.string(_HOST))
    reason = _reason(run, file, load)
    return Fix(
        'Pass map_location="cpu"',
        (edit,),
        Applicability.UNSAFE if reason else Applicability.SAFE,
        reason,
    )


def _is_parameter(file: File, name: code.Name) -> bool:
    """Whether a name is a parameter of the function around it."""
    function = file.around(Span(name.start, name.end), code.Function)
    return function is not None and any(parameter.name == name.id for parameter in function.parameters)


def _reason(run: RunView, file: File, load: Event) -> str:
    """Why what is loaded may be missed on the GPU; empty where all tensors go into models and the like."""
    taken = {event.location for event in run.events(LoadState)}
    others = other_uses(file, load.location, taken.__contains__)
    if not others:
        return ""
    if WHOLE in others:
        return "the checkpoint has other uses, and all of its tensors are loaded to the CPU"
    saved = [save.object for save in run.events(Save)]
    tensors = sorted(key for key in others if not _is_number(key, saved))
    if not tensors:
        return ""
    names = ", ".join(f"`{key}`" for key in tensors)
    return f"{names} in the checkpoint have other uses, and their tensors are loaded to the CPU"


def _is_number(key: str, saved: Iterable[Value | None]) -> bool:
    """Whether the program writes nothing but numbers and texts under a key."""
    found = [value for table in saved if isinstance(table, Table) for name, value in table.items if name == Const(key)]
    return bool(found) and all(always(value, _is_plain) for value in found)


def _is_plain(value: Value) -> bool:
    if isinstance(value, Apply):
        return value.operator in _NUMBERS or (
            value.operator in _ARITHMETIC and all(always(operand, _is_plain) for operand in value.operands)
        )
    return isinstance(value, (Const, Setting))
