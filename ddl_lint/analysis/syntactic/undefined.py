"""Names that the top level of a file reads although nothing defines them: it ends there with a NameError."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from ddl_lint.analysis.syntactic.mentions import inside
from ddl_lint.analysis.syntactic.per_file import per_file
from ddl_lint.program import code

_GIVEN = frozenset(dir(builtins)) | {
    *("__file__", "__path__", "__builtins__", "__annotations__", "__dict__", "__cached__"),
    *("display", "get_ipython", "profile", "snakemake", "_"),  # what tools add that run other people's files
}
_MAKERS_OF_NAMES = frozenset({"exec", "execfile", "eval", "globals", "locals", "vars", "builtins", "__builtins__"})


@dataclass(frozen=True, slots=True)
class Undefined:
    """A read of a name that nothing defines; `is_sure` where the file comes to it whatever happens."""

    name: str
    start: int
    is_sure: bool


@per_file
def undefined_names(module: code.Module) -> Sequence[Undefined]:
    """The reads of undefined names at the top level, in the order of the text; none where a file may define names in a
    way that cannot be seen.
    """
    if not _MAKERS_OF_NAMES.isdisjoint(module.words) or _imports_all(module):
        return ()
    defined = _GIVEN | frozenset(_defined(module.body))
    found = (each for each in _reads(module.body, is_sure=True) if each.name not in defined)
    return sorted(found, key=lambda each: each.start)


def _imports_all(module: code.Module) -> bool:
    return any(
        isinstance(node, code.ImportFrom) and any(name == "*" for name, _ in node.names) for node in inside(module.body)
    )


def _defined(body: Iterable[code.Statement]) -> Iterator[str]:
    """The names that are bound anywhere at the top level, also in comprehensions, or made global by a function."""
    for node in inside(list(body)):
        if isinstance(node, (code.Function, code.Class)):
            yield node.name
        elif isinstance(node, code.Import):
            yield node.alias or node.module.partition(".")[0]
        elif isinstance(node, code.ImportFrom):
            yield from (alias or name for name, alias in node.names)
        elif isinstance(node, code.Scope):
            yield from node.names
        elif isinstance(node, code.Handler) and node.name:
            yield node.name
        elif isinstance(node, code.Case):
            yield from node.names
        else:
            yield from (name.id for target in _targets(node) for name in inside(target) if isinstance(name, code.Name))


def _targets(node: object) -> Iterator[code.Expression]:
    if isinstance(node, code.Assign):
        yield from node.targets
    elif isinstance(node, (code.Augment, code.Walrus, code.For, code.Generator)):
        yield node.target
    elif isinstance(node, code.With):
        yield from (target for _, target in node.items if target is not None)


def _reads(body: Iterable[code.Statement], *, is_sure: bool) -> Iterator[Undefined]:
    """The names that statements read themselves: not in functions, classes and what is tried."""
    for statement in body:
        if isinstance(statement, code.If):
            yield from _names(statement.test, is_sure=is_sure)
            is_guard = is_sure and _is_main_guard(statement.test)
            yield from _reads(statement.body, is_sure=is_guard)
            yield from _reads(statement.orelse, is_sure=False)
        elif isinstance(statement, (code.For, code.While)):
            head = statement.iterable if isinstance(statement, code.For) else statement.test
            yield from _names(head, is_sure=is_sure)
            yield from _reads((*statement.body, *statement.orelse), is_sure=False)
        elif isinstance(statement, code.With):
            for value, _ in statement.items:
                yield from _names(value, is_sure=is_sure)
            yield from _reads(statement.body, is_sure=is_sure)
        elif isinstance(statement, (code.Evaluate, code.Assign)) and statement.value is not None:
            yield from _names(statement.value, is_sure=is_sure)


def _is_main_guard(test: code.Expression) -> bool:
    return isinstance(test, code.Compare) and isinstance(test.left, code.Name) and test.left.id == "__name__"


def _names(node: object, *, is_sure: bool) -> Iterator[Undefined]:
    """The names in an expression; those of a lambda are read later, if at all."""
    if isinstance(node, code.Name):
        yield Undefined(node.id, node.start, is_sure)
    elif isinstance(node, (list, tuple)):
        for part in cast("Sequence[object]", node):
            yield from _names(part, is_sure=is_sure)
    elif not isinstance(node, code.Lambda):
        is_sure = is_sure and not isinstance(node, (code.Boolean, code.Conditional, code.Comprehension))
        for part in code.PARTS.get(type(node), ()):
            yield from _names(getattr(node, part), is_sure=is_sure)
