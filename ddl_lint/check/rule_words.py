"""The words of the vocabulary in the code of a rule: kinds of events and roles that do not exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeGuard

from ddl_lint.program.events import EVENT_ROLES
from ddl_lint.registry.schema import nearest
from ddl_lint.source import read_text

_ROLES = frozenset(role for roles in EVENT_ROLES.values() for role in roles)


class UnknownWord(NamedTuple):
    """A word that no event has, and where a rule says it."""

    file: Path
    line: int
    message: str


def unknown_words(room: Path) -> Iterator[UnknownWord]:
    """The kinds of events that the code in a rule's folder asks a run for, and the roles that it asks events for, which
    do not exist. Raises `SourceError` or `SyntaxError` for a file that cannot be read.
    """
    for file in sorted(room.glob("*.py")):
        for node in ast.walk(ast.parse(read_text(str(file)), str(file))):
            for word, known, what in _asked(node):
                if word.value not in known:
                    hint = nearest(str(word.value), known)
                    yield UnknownWord(file, word.lineno, f"unknown {what} `{word.value}`{hint}")


def _asked(node: ast.AST) -> Iterator[tuple[ast.Constant, frozenset[str], str]]:
    """The words in `run.events("...")`, `event.operands.get("...")` and `event.operands["..."]`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="events"), args=args):
            yield from ((each, frozenset(EVENT_ROLES), "event") for each in args if _is_word(each))
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="operands"), attr="get"), args=[first, *_]):
            if _is_word(first):
                yield first, _ROLES, "role"
        case ast.Subscript(value=ast.Attribute(attr="operands"), slice=word):
            if _is_word(word):
                yield word, _ROLES, "role"
        case _:
            pass


def _is_word(node: ast.expr) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
