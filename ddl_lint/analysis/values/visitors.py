"""What values are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ddl_lint.program.heap import Heap
from ddl_lint.program.values import Alternatives, Apply, Flag, Items, Object, Table, Value


def parts(value: Value, *, opened: Callable[[Value], bool] = lambda _: True) -> Iterator[Value]:
    """A value and the values that it is made of; objects are not opened, nor what `opened` refuses."""
    stack = [value]
    while stack:
        node = stack.pop()
        yield node
        if opened(node):
            stack.extend(children(node))


def contents(value: Value, heap: Heap) -> Iterator[Value]:
    """A value and all that it is made of, also what its objects were given and what was stored on them."""
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
        else:
            stack.extend(heap.made_of(node))
            stack.extend(heap.attributes(node).values())


def children(value: Value) -> Iterable[Value]:
    if isinstance(value, Apply):
        return value.operands
    if isinstance(value, Items):
        return value.items
    if isinstance(value, Table):
        return [part for pair in value.items for part in pair]
    if isinstance(value, Alternatives):
        return [option for _, option in value.options]
    return ()


def mentions_flag(value: Value, name: str) -> bool:
    """Whether a condition asks for a mode of the run."""
    return any(isinstance(part, Flag) and part.name == name for part in parts(value))
