"""Ways through the tree of a program: what is where, and around it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, cast

from ddl_lint.program import code
from ddl_lint.source.span import Span

_Node = TypeVar("_Node", bound=code.Node)


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def child_nodes(node: object) -> Iterator[object]:
    """The parts of a node that are dataclasses themselves, in the order of their fields."""
    for name in _fields_of(type(node)):
        yield from _parts(getattr(node, name))


def _parts(value: Any) -> Iterator[object]:
    if isinstance(value, (list, tuple)):
        for part in cast("Sequence[Any]", value):
            yield from _parts(part)
    elif _is_node(type(cast("object", value))):
        yield value


@cache
def _is_node(kind: type) -> bool:
    return is_dataclass(kind)


def extent(node: object) -> Span | None:
    """Where a node is, decorators included; None for what has no place of its own."""
    start, end = getattr(node, "start", None), getattr(node, "end", None)
    if not isinstance(start, int) or not isinstance(end, int):
        return None
    if isinstance(node, (code.Function, code.Class)) and node.decorators:
        start = min(start, *(decorator.start for decorator in node.decorators))
    return Span(start, end)


def path_to(module: code.Module, span: Span) -> list[object]:
    """The nodes around a range, from the outermost statement to the innermost that covers it."""
    path: list[object] = []
    level: Iterator[object] = iter(_nearest(module.body, span))
    while True:
        found = next((node for node in level if _covers(node, span)), None)
        if found is None:
            return path
        path.append(found)
        level = _children_near(found, span)


_LONG = 16


def _children_near(node: object, span: Span) -> Iterator[object]:
    """The parts of a node; of a long block only the statement that may cover a range."""
    for name in _fields_of(type(node)):
        value = getattr(node, name)
        if name in _BLOCKS and isinstance(value, list):  # of a conditional expression, `body` is one, too
            value = _nearest(cast("list[Any]", value), span)
        yield from _parts(value)


_BLOCKS = ("body", "orelse", "final")


def _nearest(block: Sequence[Any], span: Span) -> Sequence[Any]:
    """Of the statements of a block, which follow each other, the first that does not end before a range does."""
    if len(block) <= _LONG:
        return block
    index = bisect_left(block, span.end, key=lambda statement: statement.end)
    return block[index : index + 1]


def _covers(node: Any, span: Span) -> bool:
    if getattr(node, "end", span.end) < span.end:
        return False  # the most, when a long block is gone through
    own = extent(node)
    if own is None:
        return any(_covers(child, span) for child in child_nodes(node))
    return own.start <= span.start and span.end <= own.end


def node_at(module: code.Module, span: Span, kind: type[_Node]) -> _Node | None:
    """The outermost node of a kind that is exactly at a range."""
    for node in path_to(module, span):
        if isinstance(node, kind) and Span(node.start, node.end) == span:
            return node
    return None


def walk(*nodes: object) -> Iterator[object]:
    """Nodes and all that is in them, outer before inner."""
    for node in nodes:
        yield node
        yield from walk(*child_nodes(node))


def blocks_of(node: object) -> Iterator[Sequence[code.Statement]]:
    """The blocks of statements that belong to a node itself, in the order of the text."""
    if isinstance(node, (code.If, code.For, code.While)):
        yield node.body
        yield node.orelse
    elif isinstance(node, (code.Module, code.Function, code.Class, code.With, code.Handler, code.Case)):
        yield node.body
    elif isinstance(node, code.Try):
        yield node.body
        yield node.orelse
        yield node.final
