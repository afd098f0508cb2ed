"""What a program does with its names, where nothing else tells what they are: `model.parameters()`, `f(model)`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ddl_lint.analysis.syntactic.per_file import per_class, per_file
from ddl_lint.program import code

CALL = "()"
"""What is done with a name that is called."""

_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Handed:
    """A name that is an argument of a call, by its position or its keyword."""

    function: str
    """What is called, with dots: `DDP`, `self.build_optimizer`."""

    place: int | str


@dataclass(frozen=True)
class Usage:
    """What is done with the names of one function, inner functions included, or with the attributes of `self`."""

    methods: Mapping[str, frozenset[str]] = field(default_factory=lambda: {})
    """Name -> the methods of it that are called, and `CALL`."""

    handed: Mapping[str, frozenset[Handed]] = field(default_factory=lambda: {})


NO_USAGE = Usage()


@per_file
def usage_of_top_level(module: code.Module) -> Usage:
    """What is done with the names of a file outside of its functions and classes."""
    return _usage([part for part in module.body if not isinstance(part, (code.Function, code.Class))], "")


def usage_of(function: code.Function) -> Usage:
    """What is done with the names of a function."""
    return _usage(function.body, "")


@per_class
def usage_of_attributes(definition: code.Class) -> Usage:
    """What the methods of a class do with the attributes of their objects."""
    return _usage([part.body for part in definition.body if isinstance(part, code.Function)], "self.")


def _usage(body: object, prefix: str) -> Usage:
    methods: dict[str, set[str]] = defaultdict(set)
    handed: dict[str, set[Handed]] = defaultdict(set)
    for call in _calls(body):
        name = _named(call.func, prefix)
        if name is not None:
            methods[name].add(CALL)
        if isinstance(call.func, code.Attribute):
            owner = _named(call.func.value, prefix)
            if owner is not None:
                methods[owner].add(call.func.attr)
        given = [(each, place) for place, argument in _arguments(call) if (each := _named(argument, prefix))]
        function = dotted(call.func) if given else None
        if function is not None:
            for each, place in given:
                handed[each].add(Handed(function, place))
    return Usage(
        {name: frozenset(found) for name, found in methods.items()},
        {name: frozenset(found) for name, found in handed.items()},
    )


def _calls(body: object) -> list[code.Call]:
    """The calls in a piece of code. A loop of its own, because this is asked of most functions."""
    found: list[code.Call] = []
    stack: list[object] = [body]
    while stack:
        current = stack.pop()
        held = code.HELD.get(type(current))
        if held is not None:
            if isinstance(current, code.Call):
                found.append(current)
            stack.extend(held(current))
        elif isinstance(current, (list, tuple)):
            stack.extend(current)  # pyright: ignore[reportUnknownArgumentType]
    return found


def _arguments(call: code.Call) -> Iterator[tuple[int | str, code.Expression]]:
    if not any(isinstance(argument, code.Starred) for argument in call.args):
        yield from enumerate(call.args)
    for keyword in call.keywords:
        if keyword.name is not None:
            yield keyword.name, keyword.value


def _named(node: code.Expression, prefix: str) -> str | None:
    """The name that an expression is: of a variable, or of an attribute of `self`."""
    if not prefix:
        return node.id if isinstance(node, code.Name) else None
    is_own = isinstance(node, code.Attribute) and isinstance(node.value, code.Name) and node.value.id == "self"
    return node.attr if isinstance(node, code.Attribute) and is_own else None


def dotted(node: code.Expression) -> str | None:
    """Names with dots between them, as they are written."""
    if isinstance(node, code.Name):
        return node.id
    if isinstance(node, code.Attribute):
        owner = dotted(node.value)
        return None if owner is None else f"{owner}.{node.attr}"
    return None
