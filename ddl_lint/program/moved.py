"""The same code at another place of its file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar, cast

from ddl_lint.program import code

_T = TypeVar("_T")

_OFFSETS = ("start", "end", "name_start")


def moved(node: _T, distance: int) -> _T:
    """A node, or a list or tuple of nodes, with all its offsets moved. It shares nothing with the old one that has a
    place.
    """
    copy = _COPIES.get(type(node))
    return node if copy is None else copy(node, distance)


def _list(nodes: list[Any], distance: int) -> list[Any]:
    return [moved(node, distance) for node in nodes]


def _tuple(nodes: tuple[Any, ...], distance: int) -> tuple[Any, ...]:
    return tuple([moved(node, distance) for node in nodes])


def _copy_of(kind: type) -> Callable[[Any, int], Any]:
    """How nodes of a kind are copied: a function that is made of its fields."""
    parts = [
        f"node.{each.name} + distance" if each.name in _OFFSETS
        else f"moved(node.{each.name}, distance)" if each.name in code.PARTS[kind]
        else f"node.{each.name}"
        for each in fields(cast(Any, kind))
    ]  # fmt: skip
    return eval(f"lambda node, distance: kind({', '.join(parts)})", {"kind": kind, "moved": moved})


_COPIES: dict[type, Callable[[Any, int], Any]] = {
    **{kind: _copy_of(kind) for kind in code.PARTS if kind is not code.Module},
    list: _list,
    tuple: _tuple,
}
