"""Questions about the classes that a program defines itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
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


def kept_by(run: RunView, owner: ClassRef, method: str, elsewhere: str) -> Iterator[KeptByOne]:
    """The attributes that only one method of a class assigns, by itself or through helpers that nothing else calls, and
    that other methods read; none where the program calls the method itself, or looks whether they are there. Methods
    whose names the pattern `elsewhere` matches are called by others than the class, so that they are no helpers.
    """
    module = next((each for each in run.modules.values() if each.name == owner.module), None)
    methods = _methods(owner.definition)
    if module is None or method not in methods or any(isinstance(base, ClassRef) for base in owner.bases):
        return
    uses = {name: read_from_self(each) for name, each in methods.items()}
    asked = frozenset[str]().union(*map(asked_of_others, run.modules.values()))
    if method in asked or any(method in each.called for each in uses.values()):
        return
    words = mentioned(owner.definition)
    if words & {"setattr", "hasattr", "getattr", "__dict__"}:
        return
    inner = _called_from(method, uses)
    outside = asked.union(*(uses[name].names for name in methods if name not in inner))
    helpers = {name for name in inner if name not in outside and not re.fullmatch(elsewhere, name)} | {method}
    setting = setters(owner.definition)
    own = frozenset(each.id for part in owner.definition.body for each in _bound_names(part))
    for name, places in _assigned(methods, helpers).items():
        given = len(places)
        if "__init__" in methods and _is_empty_at_first(methods["__init__"], name):
            given += not any(_is_tested(each, name) for each in methods.values())
        if setting.get(name) != given or name in own or name in methods or is_set_from_outside(run, name):
            continue
        reads = [
            (each, _read(methods[each], name)) for each in methods if each not in inner and name in uses[each].names
        ]
        for reader, found in reads[:1]:
            if found is not None:
                yield KeptByOne(name, _at(module, places[0]), _at(module, found), reader)


def is_read_by(owner: ClassRef, readers: Iterable[str], name: str) -> bool:
    """Whether some methods of a class, or those of it that they call, read an attribute of their object."""
    uses = {each: read_from_self(function) for each, function in _methods(owner.definition).items()}
    return any(name in uses[each].names for reader in readers for each in _called_from(reader, uses))


def methods_assigning(owner: ClassRef, name: str) -> frozenset[str]:
    """The methods of a class, its constructor aside, that assign an attribute of their object."""
    return frozenset(
        function.name
        for function in _methods(owner.definition).values()
        if function.name != "__init__" and any(target.attr == name for target, _ in _stores(function))
    )


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


def _assigned(methods: Mapping[str, code.Function], names: Set[str]) -> dict[str, list[code.Attribute]]:
    """The attributes of their object that some methods assign, with the first place in each of them."""
    found: dict[str, list[code.Attribute]] = {}
    for method in methods.values():
        first: dict[str, code.Attribute] = {}
        for target, _ in _stores(method) if method.name in names else ():
            first[target.attr] = min(first.get(target.attr, target), target, key=lambda each: each.start)
        for name, place in first.items():
            found.setdefault(name, []).append(place)
    return found


def _stores(function: code.Function) -> Iterator[tuple[code.Attribute, code.Expression | None]]:
    """The attributes of its object that a method assigns, and what it assigns."""
    own = function.parameters[0].name
    for node in inside(function.body):
        if isinstance(node, code.Assign):
            for target in node.targets:
                for part in target.items if isinstance(target, code.Display) else (target,):
                    if isinstance(part, code.Attribute) and isinstance(part.value, code.Name) and part.value.id == own:
                        yield part, node.value


def _is_empty_at_first(function: code.Function, name: str) -> bool:
    """Whether a method sets an attribute to None, and to nothing else."""
    values = [value for target, value in _stores(function) if target.attr == name]
    return bool(values) and all(isinstance(value, code.Literal) and value.value is None for value in values)


def _is_tested(function: code.Function, name: str) -> bool:
    """Whether a condition of a method asks for an attribute."""
    tests = [node.test for node in inside(function.body) if isinstance(node, (code.If, code.Conditional, code.Assert))]
    return any(isinstance(part, code.Attribute) and part.attr == name for part in inside(tests))


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
