"""What a function, or the top level of a file, does with names: found once, however many fixes ask."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from ddl_lint.fixes.python.scope import bound_by, names_bound, names_read
from ddl_lint.fixes.python.tree import blocks_of, walk
from ddl_lint.program import code

Use: TypeAlias = tuple[int, Literal["read", "bind"]]
"""Where a name is read, or given a value."""


class Names:
    """The names of one scope, which is a body of statements."""

    def __init__(self, body: Sequence[code.Statement]) -> None:
        self.body = body

    @cached_property
    def bound(self) -> Collection[str]:
        """The plain names that the scope binds."""
        return frozenset(name for name in self._binding if "." not in name)

    @cached_property
    def read(self) -> Collection[str]:
        """The names, plain and dotted, that the scope mentions."""
        return frozenset(names_read(*self.body))

    @cached_property
    def imported(self) -> frozenset[str]:
        """The names that imports bind."""
        imports = (node for node in walk(*self.body) if isinstance(node, (code.Import, code.ImportFrom)))
        return frozenset(name for node in imports for name in names_bound(node))

    def binding(self, name: str) -> Sequence[code.Statement]:
        """The statements of the body that bind a name, plain or dotted, or hold one that does."""
        return self._binding.get(name, ())

    @cached_property
    def _binding(self) -> Mapping[str, Sequence[code.Statement]]:
        found: dict[str, list[code.Statement]] = defaultdict(list)
        for statement in self.body:
            for name in bound_by(statement):
                found[name].append(statement)
        return dict(found)

    def uses(self, name: str) -> Sequence[Use]:
        """Where the scope reads a name and where it binds it, in order; at one place it is read first."""
        return self._uses.get(name, ())

    def uses_from(self, name: str, start: int) -> Sequence[Use]:
        """Those from an offset on."""
        uses = self.uses(name)
        return uses[bisect_left(uses, start, key=lambda use: use[0]) :]

    def first_bound(self, name: str) -> int | None:
        """Where the scope first binds a name; None where it does not."""
        return self._first_bound.get(name)

    @cached_property
    def _first_bound(self) -> Mapping[str, int]:
        places = ((name, [place for place, kind in uses if kind == "bind"]) for name, uses in self._uses.items())
        return {name: min(bound) for name, bound in places if bound}

    @cached_property
    def _uses(self) -> Mapping[str, Sequence[Use]]:
        found: dict[str, list[Use]] = defaultdict(list)
        for name, use in _uses(self.body):
            found[name].append(use)
        for uses in found.values():
            uses.sort(key=lambda use: (use[0], use[1] == "bind"))
        return dict(found)


def _uses(body: Sequence[code.Statement]) -> Iterator[tuple[str, Use]]:
    for statement in body:
        if isinstance(statement, (code.Function, code.Class)):
            yield from _mentions(statement)
            continue
        if isinstance(statement, code.For):
            yield from _mentions(statement.iterable)
            yield from _binds(statement.target, statement.iterable.end)
        elif isinstance(statement, code.Assign):
            if statement.value is not None:
                yield from _mentions(statement.value)
            for target in statement.targets:
                yield from _binds(target, statement.end - 1)
                yield from _mentions(target, set(targets_of(target)))
            continue
        elif isinstance(statement, code.With):
            for value, target in statement.items:
                yield from _mentions(value)
                if target is not None:
                    yield from _binds(target, target.end)
        elif isinstance(statement, (code.If, code.While)):
            yield from _mentions(statement.test)
        elif isinstance(statement, code.Match):
            yield from _mentions(statement.subject)
            for case in statement.cases:
                yield from _uses(case.body)
        elif not isinstance(statement, code.Try):
            yield from _mentions(statement)
        for block in blocks_of(statement):
            yield from _uses(block)
        if isinstance(statement, code.Try):
            for handler in statement.handlers:
                yield from _uses(handler.body)


def _mentions(node: code.Node, but: Collection[str] = ()) -> Iterator[tuple[str, Use]]:
    for name in names_read(node):
        if name not in but:
            yield name, (node.start, "read")


def _binds(target: code.Expression, place: int) -> Iterator[tuple[str, Use]]:
    for name in targets_of(target):
        yield name, (place, "bind")


def targets_of(target: code.Expression) -> Iterator[str]:
    """The plain names that are bound where something is assigned to a target."""
    if isinstance(target, code.Name):
        yield target.id
    elif isinstance(target, code.Display):
        for item in target.items:
            yield from targets_of(item)
    elif isinstance(target, code.Starred):
        yield from targets_of(target.value)
