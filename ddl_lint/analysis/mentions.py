"""Looks at the text of a program, whatever its names mean: for rules that must be careful, never as a proof."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass

from ddl_lint.program import code


def mentioned(definition: code.Class, method: str | None = None) -> frozenset[str]:
    """The names and attributes that the methods of a class mention, or one method."""
    return frozenset(
        word
        for statement in definition.body
        if isinstance(statement, code.Function) and method in (None, statement.name)
        for word in statement.mentions
    )


def words_behind(modules: Iterable[code.Module], definition: code.Class) -> frozenset[str]:
    """What the methods of a class mention, and what the functions and classes of the project by those names do."""
    known: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        for part in _inside(module.body):
            if isinstance(part, code.Function):
                known[part.name] |= part.mentions
            elif isinstance(part, code.Class):
                known[part.name] |= mentioned(part) | base_names(part)
    found: set[str] = set()
    waiting = [*mentioned(definition), *base_names(definition)]
    while waiting:
        word = waiting.pop()
        if word not in found:
            found.add(word)
            waiting.extend(known.get(word, ()))
    return frozenset(found)


def base_names(definition: code.Class) -> frozenset[str]:
    """The last names of what a class derives from."""
    return frozenset(
        base.id if isinstance(base, code.Name) else base.attr
        for written in definition.bases
        for base in [written.value if isinstance(written, code.Subscript) else written]
        if isinstance(base, (code.Name, code.Attribute))
    )


def goes_through_something(definition: code.Class) -> bool:
    """Whether the methods of a class yield the elements of something, or parts of them, and do not only count."""
    loops = [
        loop
        for function in definition.body
        if isinstance(function, code.Function)
        for loop in _inside(function)
        if isinstance(loop, code.For) and any(isinstance(part, code.YieldValue) for part in _inside(loop.body))
    ]
    return any(not _is_count(loop.iterable) for loop in loops)


def _is_count(iterable: code.Expression) -> bool:
    return isinstance(iterable, code.Call) and isinstance(iterable.func, code.Name) and iterable.func.id == "range"


def ignores_parameter(definition: code.Class, method: str) -> bool:
    """Whether a method of the class uses its first parameter for nothing but conditions."""
    for function in definition.body:
        if isinstance(function, code.Function) and function.name == method and len(function.parameters) > 1:
            name = function.parameters[1].name
            return not any(isinstance(part, code.Name) and part.id == name for part in _without_tests(function.body))
    return False


_SCALING = frozenset({"/", "*"})
_SCALING_CALLS = ("div", "mul", "true_divide", "average")


def scales(body: object, about: Callable[[str], object], *, in_place: bool = True) -> bool:
    """Whether code divides or multiplies something with a name that `about` accepts, or, unless `in_place` is false,
    anything in place.

    Inner functions and classes are left aside.
    """
    stack: list[object] = [body]
    while stack:
        current = stack.pop()
        if isinstance(current, (list, tuple)):
            stack.extend(current)  # pyright: ignore[reportUnknownArgumentType]
        elif _is_scaling(current, about, in_place=in_place):
            return True
        elif is_dataclass(current) and not isinstance(current, (type, code.Function, code.Class)):
            stack.extend(getattr(current, part.name) for part in fields(current))
    return False


def _is_scaling(node: object, about: Callable[[str], object], *, in_place: bool) -> bool:
    if isinstance(node, (code.Augment, code.Binary)) and node.operator.rstrip("=") in _SCALING:
        return (in_place and isinstance(node, code.Augment)) or any(map(about, _names(node)))
    called = node.func if in_place and isinstance(node, code.Call) else None
    return isinstance(called, code.Attribute) and called.attr.startswith(_SCALING_CALLS)


def _names(node: object) -> Iterator[str]:
    for part in _inside(node):
        if isinstance(part, code.Name):
            yield part.id
        elif isinstance(part, code.Attribute):
            yield f".{part.attr}"


def texts_in(module: code.Module) -> frozenset[str]:
    """The strings that are written in a file, also where no run comes by."""
    return frozenset(
        part.value for part in _inside(module.body) if isinstance(part, code.Literal) and isinstance(part.value, str)
    )


def words_in(module: code.Module) -> frozenset[str]:
    """The names and attributes that are written in a file, also where no run comes by."""
    found: set[str] = set()
    for part in _inside(module.body):
        if isinstance(part, code.Name):
            found.add(part.id)
        elif isinstance(part, code.Attribute):
            found.add(part.attr)
        elif isinstance(part, code.ImportFrom):
            found.update(name for name, _ in part.names)
    return frozenset(found)


def _without_tests(body: object) -> Iterator[object]:
    tests = {id(part) for node in _inside(body) if isinstance(node, code.If) for part in _inside(node.test)}
    return (node for node in _inside(body) if id(node) not in tests)


def _inside(node: object) -> Iterator[object]:
    """A piece of code and all its parts."""
    stack: list[object] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, (list, tuple)):
            stack.extend(current)  # pyright: ignore[reportUnknownArgumentType]
        elif is_dataclass(current) and not isinstance(current, type):
            yield current
            stack.extend(getattr(current, part.name) for part in fields(current))
