"""The words of the vocabulary in the code of a rule: kinds of events and roles that do not exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ddl_lint.program.kinds import EVENT_ROLES, EVENT_TYPES
from ddl_lint.registry.schema import nearest
from ddl_lint.source import read_text

_ROLES = frozenset(role for roles in EVENT_ROLES.values() for role in roles)
_Asked: TypeAlias = tuple[str, int, frozenset[str], str]
_TYPES = {each.__name__: each for each in EVENT_TYPES.values()}


class UnknownWord(NamedTuple):
    """A word that no event has, and where a rule says it."""

    file: Path
    line: int
    message: str


def unknown_words(folder: Path) -> Iterator[UnknownWord]:
    """The kinds of events that the code in a rule's folder asks a run for, and the roles that it asks events for, which
    do not exist. Raises `SourceError` or `SyntaxError` for a file that cannot be read.
    """
    for file in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(read_text(str(file)), str(file))):
            for word, line, known, what in _asked(node):
                if word not in known:
                    yield UnknownWord(file, line, f"unknown {what} `{word}`{nearest(word, known)}")


def _asked(node: ast.AST) -> Iterator[_Asked]:
    """The words in `run.events("...")`, `event.operands.get("...")` and `event.operands["..."]`, in imports of kinds of
    events, and after a variable that goes over events: each with its line, the words that there are, and what it is.
    """
    match node:
        case ast.ImportFrom(module="ddl_lint.rulekit.events", names=names):
            yield from ((each.name, node.lineno, frozenset(_TYPES), "event") for each in names)
        case ast.For(target=ast.Name(id=name), iter=source):
            yield from _roles_after(name, source, node.body)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for each in node.generators:
                if isinstance(each.target, ast.Name):
                    yield from _roles_after(each.target.id, each.iter, [node])
        case ast.Call(func=ast.Attribute(attr="events"), args=args):
            yield from ((word, each.lineno, frozenset(EVENT_ROLES), "event") for each in args for word in _words(each))
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="operands"), attr="get"), args=[first, *_]):
            yield from ((word, first.lineno, _ROLES, "role") for word in _words(first))
        case ast.Subscript(value=ast.Attribute(attr="operands"), slice=word):
            yield from ((each, word.lineno, _ROLES, "role") for each in _words(word))
        case _:
            pass


def _roles_after(name: str, source: ast.expr, within: Sequence[ast.AST]) -> Iterator[_Asked]:
    """What is read of the events that a variable goes over."""
    match source:
        case ast.Call(func=ast.Attribute(attr="events"), args=args):
            kinds = [_TYPES.get(each.id) if isinstance(each, ast.Name) else None for each in args]
            known = frozenset(attribute for kind in kinds if kind is not None for attribute in dir(kind))
            for node in (node for each in within for node in ast.walk(each)) if None not in kinds else ():
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
                    yield node.attr, node.lineno, known, "role"
        case _:
            pass


def _words(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
