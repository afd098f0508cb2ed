"""Which names statements read and which they bind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ddl_lint.fixes.python.tree import child_nodes
from ddl_lint.program import code


def names_bound(*nodes: object) -> set[str]:
    """The names that statements bind in their scope, and the attributes (`self.x`) that they assign.

    What inner functions and classes bind is theirs.
    """
    return {
        name for node in nodes for name in (bound_by(node) if isinstance(node, code.Statement) else _bound((node,)))
    }


@lru_cache(maxsize=4096)
def bound_by(statement: code.Statement) -> frozenset[str]:
    """The same of one statement: each fix of a file asks for those of many."""
    return frozenset(_bound((statement,)))


def _bound(nodes: tuple[object, ...]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, (code.Function, code.Class)):
            yield node.name
            continue
        if isinstance(node, code.Lambda):
            continue
        if isinstance(node, code.Assign):
            yield from _targets(*node.targets)
        elif isinstance(node, (code.Augment, code.Walrus, code.For)):
            yield from _targets(node.target)
        elif isinstance(node, code.With):
            yield from _targets(*(target for _, target in node.items if target is not None))
        elif isinstance(node, code.Handler) and node.name is not None:
            yield node.name
        elif isinstance(node, code.Case):
            yield from node.names
        elif isinstance(node, code.Import):
            yield node.alias or node.module.partition(".")[0]
        elif isinstance(node, code.ImportFrom):
            yield from (alias or name for name, alias in node.names)
        yield from _bound(tuple(child_nodes(node)))


def _targets(*targets: code.Expression) -> Iterator[str]:
    for target in targets:
        if isinstance(target, code.Display):
            yield from _targets(*target.items)
        elif isinstance(target, (code.Starred, code.Subscript)):
            yield from _targets(target.value)  # what is put into a container changes it
        elif isinstance(target, (code.Name, code.Attribute)):
            name = dotted(target)
            if name is not None:
                yield name


def names_read(*nodes: object) -> set[str]:
    """The names, and dotted names such as `self.x` with all that they begin with, that nodes mention."""
    return {name for node in nodes for name in _read(node)}


def _read(node: object) -> Iterator[str]:
    if isinstance(node, code.Name):
        yield node.id
    elif isinstance(node, code.Attribute):
        name = dotted(node)
        if name is not None:
            yield name
    if isinstance(node, code.Assign):  # a name that is only bound here is not read
        for target in node.targets:
            if not isinstance(target, code.Name):
                yield from _read(target)
        if node.value is not None:
            yield from _read(node.value)
        return
    for child in child_nodes(node):
        yield from _read(child)


def dotted(node: object) -> str | None:
    """The text of a name or of attributes of one; None for all else."""
    if isinstance(node, code.Name):
        return node.id
    if isinstance(node, code.Attribute):
        owner = dotted(node.value)
        return None if owner is None else f"{owner}.{node.attr}"
    return None
