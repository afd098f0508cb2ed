"""Other names in new code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator


def renamed(code: str, name_of: Callable[[str], str], own: Collection[str]) -> str:
    """New code with other names for what it names in full.

    Args:
        code: A few statements.
        name_of: The name for a full one, such as `torch.distributed.get_rank`.
        own: Variables of the code, whose attributes are no full names.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        tree = None
    if tree is None or any(isinstance(node, ast.JoinedStr) for node in ast.walk(tree)):
        # Where the parts of an f-string are, Python does not say before 3.12.
        from ddl_lint.fixes.python import slow_template

        return slow_template.renamed(code, name_of, own)
    lines = [line.encode() for line in code.splitlines(keepends=True)]
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    written, position, parts = b"".join(lines), 0, list[bytes]()
    for node, name in sorted(_full_names(tree), key=lambda each: (each[0].lineno, each[0].col_offset)):
        if name.startswith("__hole_") or name.partition(".")[0] in own:
            continue
        start = starts[node.lineno - 1] + node.col_offset
        parts += [written[position:start], name_of(name).encode()]
        position = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
    return b"".join([*parts, written[position:]]).decode()


def _full_names(node: ast.AST) -> Iterator[tuple[ast.Attribute, str]]:
    """The longest chains of attributes of names, in any order."""
    if isinstance(node, ast.Attribute):
        name = _full(node)
        if name is not None:
            yield node, name
            return
    for child in ast.iter_child_nodes(node):
        yield from _full_names(child)


def _full(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = _full(node.value)
        return None if owner is None else f"{owner}.{node.attr}"
    return None
