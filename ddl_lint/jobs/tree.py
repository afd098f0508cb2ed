"""The way through a YAML or JSON file: values by their keys, texts and numbers that are no templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddl_lint.source.nodes import Mapping, Member, Node, Scalar
from ddl_lint.source.nodes import Sequence as NodeSequence

_TEMPLATES = ("{{", "{%", "<%", "${{")


def member(node: Node | None, *names: str) -> Member | None:
    """The member at the end of a way of keys; None where there is none."""
    found: Member | None = None
    for name in names:
        if not isinstance(node, Mapping):
            return None
        named = node.named(name)
        if not named:
            return None
        found = named[-1]
        node = found.value
    return found


def value(node: Node | None, *names: str) -> Node | None:
    """The value at the end of a way of keys."""
    found = member(node, *names)
    return found.value if found is not None else None


def text(node: Node | None) -> str | None:
    """The text of a scalar that is not a template."""
    if isinstance(node, Scalar) and not any(mark in node.text for mark in _TEMPLATES):
        return node.text
    return None


def number(node: Node | None) -> int | None:
    """The whole number that a scalar is, also in quotes."""
    found = text(node)
    return int(found) if found is not None and found.isascii() and found.isdigit() and len(found) < 12 else None


def items(node: Node | None) -> Sequence[Node]:
    """The items of a sequence; none of anything else."""
    return node.items if isinstance(node, NodeSequence) else ()


def members(node: Node | None) -> Sequence[Member]:
    """The members of a mapping; none of anything else."""
    return node.members if isinstance(node, Mapping) else ()


def mappings(node: Node, depth: int = 0) -> Iterator[Mapping]:
    """All mappings below a node, itself first."""
    if depth > 60:
        return
    if isinstance(node, Mapping):
        yield node
        for each in node.members:
            yield from mappings(each.value, depth + 1)
    elif isinstance(node, NodeSequence):
        for each in node.items:
            yield from mappings(each, depth + 1)
