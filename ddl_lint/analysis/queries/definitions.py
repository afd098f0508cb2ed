"""Questions about the classes that a program defines itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ddl_lint.analysis.queries.modules import is_set_from_outside
from ddl_lint.analysis.syntactic.mentions import (
    SelfReads,
    asked_of_others,
    inside,
    mentioned,
    read_from_self,
    setters,
)
from ddl_lint.analysis.view import RunView
from ddl_lint.program import code
from ddl_lint.program.values import ClassRef, Object, Value
from ddl_lint.source.span import Location


def defines_own(made: Object, method: str) -> bool:
    """Whether the class of an object, or one of the project that it derives from, has a method of its own."""
    waiting: list[Value] = [made.definition] if made.definition is not None else []
    seen: set[Value] = set()
    while waiting:
        owner = waiting.pop()
        if not isinstance(owner, ClassRef) or owner in seen:
            continue
        seen.add(owner)
        if any(isinstance(each, code.Function) and each.name == method for each in owner.definition.body):
            return True
        waiting.extend(owner.bases)
    return False


@dataclass(frozen=True, slots=True)
class KeptByOne:
    """An attribute that one method of a class assigns, and that others read."""

    name: str
    assigned: Location
    read: Location
    reader: str
    """The method that reads it."""


def kept_by(run: RunView, owner: ClassRef, method: str) -> Iterator[KeptByOne]:
    """The attributes that only one method of a class assigns, and that methods read which it does not call; none where
    the program calls the method itself, or looks whether they are there.
    """
    module = next((each for each in run.modules.values() if each.name == owner.module), None)
    methods = _methods(owner.definition)
    body = methods.get(method)
    if module is None or body is None or any(isinstance(base, ClassRef) for base in owner.bases):
        return
    uses = {name: read_from_self(each) for name, each in methods.items()}
    if any(method in asked_of_others(each) for each in run.modules.values()) or any(
        method in each.called for each in uses.values()
    ):
        return
    words = mentioned(owner.definition)
    if words & {"setattr", "hasattr", "getattr", "__dict__"}:
        return
    inner = _called_from(method, uses)
    setting = setters(owner.definition)
    own = frozenset(each.id for part in owner.definition.body for each in _bound_names(part))
    for name, place in _assigned(body).items():
        if setting.get(name) != 1 or name in own or name in methods or is_set_from_outside(run, name):
            continue
        reads = [
            (each, _read(methods[each], name)) for each in methods if each not in inner and name in uses[each].names
        ]
        for reader, found in reads[:1]:
            if found is not None:
                yield KeptByOne(name, _at(module, place), _at(module, found), reader)


def _methods(definition: code.Class) -> dict[str, code.Function]:
    return {part.name: part for part in definition.body if isinstance(part, code.Function) and part.parameters}


def _called_from(method: str, uses: Mapping[str, SelfReads]) -> set[str]:
    """A method, and those of its object that it calls."""
    found: set[str] = set()
    waiting = [method]
    while waiting:
        name = waiting.pop()
        if name in uses and name not in found:
            found.add(name)
            waiting.extend(uses[name].called)
    return found


def _assigned(function: code.Function) -> dict[str, code.Attribute]:
    """The attributes of its object that a method assigns, each where it does so first."""
    own, found = function.parameters[0].name, dict[str, code.Attribute]()
    for node in inside(function.body):
        for target in node.targets if isinstance(node, code.Assign) else ():
            if isinstance(target, code.Attribute) and isinstance(target.value, code.Name) and target.value.id == own:
                first = found.setdefault(target.attr, target)
                found[target.attr] = min(first, target, key=lambda each: each.start)
    return found


def _read(function: code.Function, name: str) -> code.Attribute | None:
    """Where a method first has an attribute of its object."""
    own = function.parameters[0].name
    found = (
        node
        for node in inside(function.body)
        if isinstance(node, code.Attribute) and node.attr == name
        if isinstance(node.value, code.Name) and node.value.id == own
    )
    return min(found, key=lambda each: each.start, default=None)


def _bound_names(part: object) -> Iterator[code.Name]:
    """The names that a statement of a class binds."""
    if isinstance(part, code.Assign):
        yield from (target for target in part.targets if isinstance(target, code.Name))


def _at(module: code.Module, node: code.Attribute) -> Location:
    return Location(module.path, node.start, node.end)
