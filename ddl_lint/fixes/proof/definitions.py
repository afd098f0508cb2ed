"""What a name in new code means: something that the project defines, or a name of a library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ddl_lint.analysis.interpreter.project.codebase import Codebase
from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.proof.additions import Addition
from ddl_lint.fixes.python.scope import dotted
from ddl_lint.fixes.python.tree import blocks_of
from ddl_lint.program import code

_DEEPEST = 8
"""Modules that hand on what they import."""


@dataclass(frozen=True)
class Definition:
    """A function or class of the project."""

    node: code.Function | code.Class
    module: code.Module


Meaning = Definition | str
"""What a name may mean; a string is the full name of something in a library."""


def meanings(run: RunView, addition: Addition, node: code.Expression) -> list[Meaning]:
    """What a name, plain or dotted, may mean in new code; nothing where that is not known."""
    name = dotted(node)
    if name is None:
        return []
    first, _, rest = name.partition(".")
    functions = [each for each in addition.around if isinstance(each, code.Function)]
    for function in reversed(functions):
        inside = _bound_in(function, first)
        if inside is not None:
            return _distinct(_through(run, addition.file.module, inside, first, rest))
    statements = [*addition.imports, *addition.file.module.body]
    return _distinct(_through(run, addition.file.module, statements, first, rest))


def defined_in(run: RunView, module: code.Module, name: str) -> list[Meaning]:
    """What a name, plain or dotted, may mean at the top level of a module."""
    first, _, rest = name.partition(".")
    return _distinct(_through(run, module, module.body, first, rest))


def _distinct(found: Iterable[Meaning]) -> list[Meaning]:
    """Each meaning once: many files import a name twice."""
    return list(dict.fromkeys(found))


def _bound_in(function: code.Function, name: str) -> list[code.Statement] | None:
    """The statements of a function, if it binds a name; none where the name is no import or definition of it."""
    if any(parameter.name == name for parameter in function.parameters):
        return []
    return function.body if name in function.bound else None


def _through(
    run: RunView, module: code.Module, statements: Sequence[code.Statement], first: str, rest: str, depth: int = 0
) -> Iterator[Meaning]:
    for binding in _bindings(statements, first):
        if isinstance(binding, (code.Function, code.Class)):
            if not rest:
                yield Definition(binding, module)
            elif isinstance(binding, code.Class):
                yield from (
                    Definition(each, module)
                    for each in binding.body
                    if isinstance(each, code.Function) and each.name == rest
                )
        elif isinstance(binding, code.Import):
            full = binding.module if binding.alias == first else binding.module.partition(".")[0]
            yield from _of_library_or_project(run, module, f"{full}.{rest}" if rest else full, depth)
        else:
            source = next(name for name, alias in binding.names if (alias or name) == first)
            codebase = run.project_context.codebase
            home = codebase.relative(binding.module, binding.level, module.name) if binding.level else binding.module
            full = ".".join(part for part in (home, source, rest) if part)
            yield from _of_library_or_project(run, module, full, depth, is_absolute=bool(binding.level))


def _bindings(statements: Iterable[code.Statement], name: str) -> Iterator[_Binding]:
    """The imports and definitions of a name in a scope, whatever they are under."""
    for node in statements:
        if isinstance(node, (code.Function, code.Class)):
            if node.name == name:
                yield node
        elif isinstance(node, code.Import):
            if (node.alias or node.module.partition(".")[0]) == name:
                yield node
        elif isinstance(node, code.ImportFrom):
            if any((alias or source) == name for source, alias in node.names):
                yield node
        else:
            handlers = node.handlers if isinstance(node, code.Try) else ()
            for block in (*blocks_of(node), *(each.body for each in handlers)):
                yield from _bindings(block, name)


_Binding = code.Function | code.Class | code.Import | code.ImportFrom


def _of_library_or_project(
    run: RunView, importer: code.Module, name: str, depth: int, *, is_absolute: bool = False
) -> Iterator[Meaning]:
    """What a full name means that a module of the project imports: the longest beginning that is a module counts."""
    codebase = run.project_context.codebase
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        module = _module(codebase, ".".join(parts[:count]), importer, is_absolute=is_absolute)
        if module is None:
            continue
        rest = parts[count:]
        if rest and depth < _DEEPEST:
            yield from _through(run, module, module.body, rest[0], ".".join(rest[1:]), depth + 1)
        return
    yield name


def _module(codebase: Codebase, name: str, importer: code.Module, *, is_absolute: bool) -> code.Module | None:
    found = name if is_absolute else codebase.find(name, importer.name)
    return codebase.module(found) if found is not None else None
