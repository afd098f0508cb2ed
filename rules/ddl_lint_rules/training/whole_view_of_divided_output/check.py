"""Finds views with the whole number of heads of what a layer returns that is divided among the ranks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from ddl_lint.rulekit import (
    NONE,
    ClassRef,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Setting,
    Table,
    Value,
    code,
    in_handler,
    is_set_from_outside,
    methods_assigning,
    module_children,
    objects,
    objects_in,
    parts_of,
    undecided,
    walk,
    wrapped,
)
from ddl_lint.rulekit.events import WrapModel

_VIEWS = ("view", "reshape")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per module that is divided, at the first of its views."""
    seen: set[ClassRef] = set()
    for wrap in run.events(WrapModel):
        plan = wrap.plan
        if not isinstance(plan, Table) or in_handler(wrap) or any(undecided(wrap)):
            continue
        for key, style in plan.items:
            if isinstance(key, Const) and isinstance(key.value, str) and _is_divided(style):
                *path, layer = key.value.split(".")
                for owner in _owners(run, wrap, path):
                    found = next(_whole_views(run, owner, layer), None)
                    if found is not None and owner.definition not in seen:
                        seen.add(owner.definition)
                        yield _finding(*found, layer, wrap)


def _finding(place: Location, name: str, layer: str, wrap: Event) -> Finding:
    return Finding(
        f"a rank has its part of what `{layer}` returns only, and this view asks for all of `{name}`",
        place,
        (Evidence("the layer is divided among the ranks here", wrap.location),),
    )


def _is_divided(style: Value) -> bool:
    made = objects(style)
    return len(made) == 1 and bool(made[0].traits.get("divides_output")) and "output_layouts" not in made[0].given


def _whole_views(run: RunView, owner: _Owner, layer: str) -> Iterator[tuple[Location, str]]:
    """Views of the output of a layer by numbers that the module has for all ranks together, and one of the numbers."""
    module = next((each for each in run.modules.values() if each.name == owner.definition.module), None)
    if module is None or any(isinstance(base, ClassRef) for base in owner.definition.bases):
        return
    of_rank = run.api.names_like("rank_part_patterns")
    for call in _views(owner.definition.definition, layer, of_rank):
        exact = [name for each in call.args if (name := _own_name(each))]
        asked = {name for each in call.args for node in walk(each) if (name := _own_name(node))}
        if exact and all(_is_whole(run, owner, name) for name in asked):
            yield Location(module.path, call.start, call.end), exact[0]


@dataclass(frozen=True)
class _Owner:
    """A module of a class of the project that has a layer."""

    made: Object
    definition: ClassRef


def _owners(run: RunView, wrap: Event, path: list[str]) -> Iterator[_Owner]:
    """The modules that a plan means by the names before that of a layer."""
    names = [each for each in path if each != "*" and not each.isdigit()]
    held = module_children(run)
    for model in wrapped(wrap):
        found = [model]
        if names:
            attributes = (run.heap.attributes(part) for part in parts_of(model, held))
            found = [made for each in attributes for made in _layers(each.get(names[-1], NONE))]
        for made in found:
            if made.definition is not None:
                yield _Owner(made, made.definition)


def _layers(value: Value) -> Iterator[Object]:
    """A module, or those in a list of them."""
    for made in objects(value):
        yield made
        if made.definition is None:
            yield from (each for given in made.given.values() for each in objects_in(given))


def _views(definition: code.Class, layer: str, of_rank: re.Pattern[str]) -> Iterator[code.Call]:
    """The views, by a tuple of sizes without -1, of what a layer of a module returns."""
    for function in definition.body:
        if not isinstance(function, code.Function):
            continue
        nodes = [node for statement in function.body for node in walk(statement)]
        shapes = {name for node in nodes if isinstance(node, code.Assign) for name in _bound_to_shape(node)}
        outputs = {name for node in nodes if isinstance(node, code.Assign) for name in _bound_to(node, layer)}
        for node in nodes:
            if not isinstance(node, code.Call) or not isinstance(node.func, code.Attribute):
                continue
            source = node.func.value
            is_output = _is_call_of(source, layer) or (isinstance(source, code.Name) and source.id in outputs)
            is_fixed = all(_is_of_module(each, shapes, of_rank) for each in node.args[_LEADING:])
            if node.func.attr in _VIEWS and is_output and is_fixed and not any(map(_is_open, node.args)):
                yield node


_LEADING = 2
"""The dimensions of the batch and of the length, which nothing divides here."""


def _is_of_module(node: code.Expression, shapes: Set[str], of_rank: re.Pattern[str]) -> bool:
    """Whether a size is made of numbers, of the module's own, and of the shape of its input: of nothing local."""
    if isinstance(node, code.Binary):
        return all(_is_of_module(each, shapes, of_rank) for each in (node.left, node.right))
    if isinstance(node, code.Attribute):
        return of_rank.search(node.attr.lower()) is None
    return isinstance(node, code.Literal) or (isinstance(node, code.Name) and node.id in shapes)


def _bound_to_shape(node: code.Assign) -> Iterator[str]:
    """The names that a statement gives to the dimensions of a tensor."""
    value = node.value.func if isinstance(node.value, code.Call) else node.value
    if isinstance(value, code.Attribute) and value.attr in ("shape", "size"):
        for target in node.targets:
            for part in target.items if isinstance(target, code.Display) else ():
                if isinstance(part, code.Name):
                    yield part.id


def _bound_to(node: code.Assign, layer: str) -> Iterator[str]:
    """The names that a statement gives to the output of a layer."""
    for target in node.targets:
        if isinstance(target, code.Display) and isinstance(node.value, code.Display):
            pairs = list(zip(target.items, node.value.items, strict=False))
        else:
            pairs = [(target, node.value)]
        yield from (name.id for name, value in pairs if isinstance(name, code.Name) and _is_call_of(value, layer))


def _is_call_of(node: object, layer: str) -> bool:
    return isinstance(node, code.Call) and _own_name(node.func) == layer


def _own_name(node: object) -> str:
    """The name of an attribute of the module itself; empty for all else."""
    if isinstance(node, code.Attribute) and isinstance(node.value, code.Name) and node.value.id == "self":
        return node.attr
    return ""


def _is_open(node: object) -> bool:
    """Whether a size is computed from the others, or cannot be seen."""
    if isinstance(node, code.Literal):
        return isinstance(node.value, int) and node.value < 0
    return isinstance(node, (code.Unary, code.Starred, code.Display))


def _is_whole(run: RunView, owner: _Owner, name: str) -> bool:
    """Whether an attribute is surely a number, or an object of settings, which do not know how many ranks there are."""
    value = run.heap.attributes(owner.made).get(name)
    is_number = isinstance(value, (Setting, Object)) or (isinstance(value, Const) and type(value.value) is int)
    return is_number and not methods_assigning(owner.definition, name) and not is_set_from_outside(run, name)
