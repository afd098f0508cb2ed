"""Other names in new code of any form, by way of libcst, which takes long to load."""

from __future__ import annotations

from collections.abc import Callable, Collection

import libcst as cst


def renamed(code: str, name_of: Callable[[str], str], own: Collection[str]) -> str:
    """New code with other names for what it names in full.

    Args:
        code: A few statements, so that the slow way through libcst is good enough.
        name_of: The name for a full one, such as `torch.distributed.get_rank`.
        own: Variables of the code, whose attributes are no full names.
    """
    return cst.parse_module(code).visit(_Names(name_of, own)).code


class _Names(cst.CSTTransformer):
    def __init__(self, name_of: Callable[[str], str], own: Collection[str]) -> None:
        super().__init__()
        self._name_of = name_of
        self._own = own

    def on_visit(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, cst.Attribute) or _full(node) is None

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        name = _full(original_node) if isinstance(original_node, cst.Attribute) else None
        if name is None or name.startswith("__hole_") or name.partition(".")[0] in self._own:
            return updated_node
        return cst.parse_expression(self._name_of(name))


def _full(node: cst.CSTNode) -> str | None:
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        owner = _full(node.value)
        return None if owner is None else f"{owner}.{node.attr.value}"
    return None
