"""What a configuration file must hold after an edit, to be compared with what it does hold.

A shape tells what readers see: keys in their order, values with their types, anchors and aliases, but no places.
"""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping
from collections.abc import Sequence as AnySequence
from typing import Any, TypeAlias

from ddl_lint.source.nodes import Alias, Mapping, Node, Scalar, Value

Shape: TypeAlias = tuple[Any, ...]


def shape(node: Node) -> Shape:
    """The shape of what was read."""
    if isinstance(node, Scalar):
        return ("scalar", node.anchor, node.tag, type(node.value).__name__, repr(node.value))
    if isinstance(node, Alias):
        return ("alias", node.name)
    if isinstance(node, Mapping):
        members = tuple((shape(member.key), shape(member.value)) for member in node.members)
        return ("mapping", node.anchor, node.tag, members)
    return ("sequence", node.anchor, node.tag, tuple(shape(item) for item in node.items))


def shape_of(value: Value) -> Shape:
    """The shape that a value must be read to."""
    if isinstance(value, AnyMapping):
        return ("mapping", "", "", tuple((shape_of(key), shape_of(each)) for key, each in value.items()))
    if isinstance(value, AnySequence) and not isinstance(value, str):
        return ("sequence", "", "", tuple(shape_of(each) for each in value))
    return ("scalar", "", "", type(value).__name__, repr(value))


def with_change(root: Node, target: Node, change: Shape) -> Shape:
    """The shape of a tree after the node `target` (this very object) has become something else."""
    if root is target:
        return change
    if isinstance(root, Mapping):
        members = tuple(
            (with_change(member.key, target, change), with_change(member.value, target, change))
            for member in root.members
        )
        return ("mapping", root.anchor, root.tag, members)
    if isinstance(root, (Scalar, Alias)):
        return shape(root)
    return ("sequence", root.anchor, root.tag, tuple(with_change(item, target, change) for item in root.items))


def with_member(mapping: Mapping, name: str, value: Shape) -> Shape:
    """The shape of a mapping with one member more, after the others."""
    *head, members = shape(mapping)
    return (*head, (*members, (shape_of(name), value)))


def without_member(mapping: Mapping, index: int) -> Shape:
    """The shape of a mapping with one member less."""
    *head, members = shape(mapping)
    return (*head, (*members[:index], *members[index + 1 :]))
