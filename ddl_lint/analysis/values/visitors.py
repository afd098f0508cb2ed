"""What values are made of: going through their parts, and making them anew of other parts."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from typing import TypeAlias, cast

from ddl_lint.program.heap import Heap
from ddl_lint.program.values import Alternatives, Apply, Bound, Flag, Items, Object, Table, Unknown, Value
from ddl_lint.source.span import Location

Change: TypeAlias = Callable[[Value], Value]


def children(value: Value) -> Iterable[Value]:
    """The values that a value is made of; nothing for those that are whole. Of a choice, they are its alternatives."""
    if isinstance(value, Apply):
        return value.operands
    if isinstance(value, Items):
        return value.items
    if isinstance(value, Table):
        return [part for pair in value.items for part in pair]
    if isinstance(value, Alternatives):
        return [option for _, option in value.options]
    return ()


def dependencies(value: Value) -> Iterable[Value]:
    """What a value depends on: its children and, of a choice, also the conditions."""
    if isinstance(value, Alternatives):
        conditions = [condition for labels, _ in value.options for condition, _ in labels]
        return [*children(value), *conditions]
    return children(value)


def rebuild(value: Value, change: Change, condition: Change | None = None) -> Value:
    """The same kind of value, of what `change` makes of its children, and `condition` of the conditions of a choice.

    The keys of a dict stay; so does a value that is whole.
    """
    if isinstance(value, Apply):
        return Apply(value.operator, tuple(map(change, value.operands)), value.location)
    if isinstance(value, Items):
        return Items(value.kind, tuple(map(change, value.items)), value.open)
    if isinstance(value, Table):
        return Table(tuple((key, change(item)) for key, item in value.items), value.open)
    if isinstance(value, Alternatives):
        return Alternatives(tuple((_changed(labels, condition), change(option)) for labels, option in value.options))
    return value


def _changed(labels: frozenset[tuple[Value, bool]], condition: Change | None) -> frozenset[tuple[Value, bool]]:
    return labels if condition is None else frozenset((condition(label), truth) for label, truth in labels)


def parts(
    value: Value,
    *,
    opened: Callable[[Value], bool] = lambda _: True,
    below: Callable[[Value], Iterable[Value]] = children,
) -> Iterator[Value]:
    """A value and the values that it is made of; objects are not opened, nor what `opened` refuses."""
    stack = [value]
    while stack:
        node = stack.pop()
        yield node
        if opened(node):
            stack.extend(below(node))


def contents(value: Value, heap: Heap | None = None) -> Iterator[Value]:
    """A value and all that it is made of: also what its objects were given and, with a heap, stored on them."""
    stack = [value]
    seen: set[int] = set()  # values share parts
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if not isinstance(node, Object):
            stack.extend(children(node))
        elif heap is None:
            stack.extend(node.given.values())
        else:
            stack.extend(heap.made_of(node))
            stack.extend(heap.attributes(node).values())


def origins(part: Value) -> Iterator[Hashable]:
    """Of something unknown: its origin, and those of what it was read from, such as `loss` of `loss.item()`."""
    origin = part.origin if isinstance(part, Unknown) else None
    while origin is not None:
        yield origin
        if isinstance(origin, Location) or not isinstance(origin, tuple):
            return
        whole = cast("tuple[Hashable, ...]", origin)
        origin = whole[0] if whole else None


def objects_in(value: Value, *, deep: bool = True) -> list[Object]:
    """The objects in a value: itself, its elements, its alternatives."""
    found: list[Object] = []
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, Object):
            found.append(node)
        elif isinstance(node, Table):
            stack.extend(part for _, part in node.items)
        elif isinstance(node, Bound):
            stack.extend(node.args)
        elif deep or not isinstance(node, Apply):
            stack.extend(children(node))
    return found


def leads_to(value: Value, made: Object, opened: Container[Object]) -> bool:
    """Whether an object is among what a value is made of.

    What was made before the object cannot hold it, so that only the later ones are opened, and those in `opened`.
    """
    stack = [value]
    seen: set[int] = set()  # values share parts
    while stack:
        node = stack.pop()
        if node is made:
            return True
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Object):
            stack.extend(node.given.values() if node.number > made.number or node in opened else ())
        else:
            stack.extend(node.args if isinstance(node, Bound) else children(node))
    return False


def is_repeatable(value: Value) -> bool:
    """Whether an equal value is the same one: nothing in it is an unknown without an origin.

    The conditions of a choice do not count: they share much, and to go through them again and again is slow.
    """
    if isinstance(value, Unknown):
        return value.origin is not None
    if not isinstance(value, (Apply, Items, Table, Alternatives)):
        return True
    known = value.repeatable
    if known is None:
        known = value.repeatable = all(map(is_repeatable, children(value)))
    return known


def mentions_flag(value: Value, name: str) -> bool:
    """Whether a condition asks for a mode of the run."""
    return any(isinstance(part, Flag) and part.name == name for part in parts(value))
