"""Looks at the text of a class, whatever its names mean: for rules that must be careful, never as a proof."""

from __future__ import annotations

from collections.abc import Iterator
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


def ignores_parameter(definition: code.Class, method: str) -> bool:
    """Whether a method of the class uses its first parameter for nothing but conditions."""
    for function in definition.body:
        if isinstance(function, code.Function) and function.name == method and len(function.parameters) > 1:
            name = function.parameters[1].name
            return not any(isinstance(part, code.Name) and part.id == name for part in _without_tests(function.body))
    return False


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
