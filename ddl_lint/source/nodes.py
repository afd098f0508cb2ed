"""What a configuration file holds, with the place of every key and value; JSON and YAML are read to the same nodes."""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping
from collections.abc import Sequence as AnySequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.source.span import Span

Step: TypeAlias = "str | int"
KeyPath: TypeAlias = tuple[Step, ...]
"""The way to a value from the top: keys of mappings, and indices of sequences from 0. `()` is the top itself."""

Value: TypeAlias = "bool | int | float | str | AnySequence[Value] | AnyMapping[str, Value] | None"
"""What can be written into a configuration file."""

Style: TypeAlias = Literal["plain", "single", "double", "block", "empty"]
"""How a scalar is written; `empty` where nothing is written, as after `key:`."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value: a string, a number, a truth value or nothing."""

    span: Span
    value: object
    """What the file's readers make of it: `str`, `int`, `float`, `bool`, `None`, rarely something else (a date)."""

    text: str
    """Its characters, without quotes and escapes: `no` where the value is `False`."""

    style: Style = "plain"
    anchor: str = ""
    tag: str = ""
    """A tag that is written out before it, such as `!!str`."""


@dataclass(frozen=True, slots=True)
class Alias:
    """A reference to the node that has the anchor of this name (YAML)."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class Member:
    """A key and its value."""

    key: Node
    value: Node

    @property
    def name(self) -> str | None:
        """The key as text; None for a key that is no scalar."""
        return self.key.text if isinstance(self.key, Scalar) else None


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys with values, as they are written: a key may be there twice."""

    span: Span
    members: tuple[Member, ...]
    is_flow: bool = True
    """Whether it has brackets."""

    anchor: str = ""
    tag: str = ""

    def named(self, name: str) -> tuple[Member, ...]:
        """The members with a key. Where there are several, readers take the last one."""
        return tuple(member for member in self.members if member.name == name)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Values in their order."""

    span: Span
    items: tuple[Node, ...]
    is_flow: bool = True
    anchor: str = ""
    tag: str = ""


Node: TypeAlias = "Scalar | Alias | Mapping | Sequence"


def child(node: Node, step: Step) -> Node | None:
    """The value one step below a node; None where there is none. An alias is not followed."""
    if isinstance(node, Mapping) and isinstance(step, str):
        named = node.named(step)
        return named[-1].value if named else None
    if isinstance(node, Sequence) and isinstance(step, int):
        return node.items[step] if 0 <= step < len(node.items) else None
    return None


def chain(node: Node, path: KeyPath) -> list[Node]:
    """The nodes on the way along a key path, from the top, as far as it goes; all of it has `len(path) + 1` nodes."""
    found = [node]
    for step in path:
        below = child(found[-1], step)
        if below is None:
            break
        found.append(below)
    return found


def find(node: Node, path: KeyPath) -> Node | None:
    """The value at a key path; None where there is none."""
    nodes = chain(node, path)
    return nodes[-1] if len(nodes) > len(path) else None
