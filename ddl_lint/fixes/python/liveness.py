"""Where names have their values, and who still reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from ddl_lint.fixes.python.file import Place
from ddl_lint.fixes.python.scope import bound_by, names_bound, names_read
from ddl_lint.fixes.python.tree import blocks_of, walk
from ddl_lint.program import code

_Use: TypeAlias = tuple[int, Literal["read", "bind"]]


def scope_of(place: Place) -> Sequence[code.Statement]:
    """The body of the function around a statement, or the top level of the file."""
    function = place.function
    return place.file.module.body if function is None else function.body


def bound_in(body: Sequence[code.Statement]) -> set[str]:
    """The plain names that a scope binds."""
    return {name for statement in body for name in bound_by(statement) if "." not in name}


def imported(place: Place) -> set[str]:
    """The names that imports bind, in the file and in the functions around a statement."""
    bodies: list[Sequence[code.Statement]] = [place.file.module.body]
    bodies.extend(owner.body for owner in place.owners if isinstance(owner, code.Function))
    return {name for body in bodies for statement in body for name in _imported_by(statement)}


@lru_cache(maxsize=4096)
def _imported_by(statement: code.Statement) -> frozenset[str]:
    return frozenset(
        name
        for node in walk(statement)
        if isinstance(node, (code.Import, code.ImportFrom))
        for name in names_bound(node)
    )


def is_live_after(place: Place, name: str) -> bool:
    """Whether some code in the function may read, after a statement, the value that a name has there."""
    uses = sorted(_uses(scope_of(place), name), key=lambda use: (use[0], use[1] == "bind"))
    statement = place.statement
    later = [kind for start, kind in uses if start >= statement.end]
    if later and later[0] == "read":
        return True
    if later:
        return False
    for owner in reversed(place.owners):
        if isinstance(owner, (code.Function, code.Class)):
            break
        if isinstance(owner, (code.For, code.While)):
            earlier = [kind for start, kind in uses if owner.start <= start < statement.start]
            if earlier:
                return earlier[0] == "read"
    return False


def _uses(body: Sequence[code.Statement], name: str) -> Iterator[_Use]:
    """Where a scope reads a name and where it binds it, at the places where that happens."""
    for statement in body:
        if isinstance(statement, (code.Function, code.Class)):
            if name in names_read(statement):
                yield statement.start, "read"
            continue
        if isinstance(statement, code.For):
            yield from _mentions(statement.iterable, name)
            if _binds(statement.target, name):
                yield statement.iterable.end, "bind"
        elif isinstance(statement, code.Assign):
            if statement.value is not None:
                yield from _mentions(statement.value, name)
            for target in statement.targets:
                if _binds(target, name):
                    yield statement.end - 1, "bind"
                else:
                    yield from _mentions(target, name)
            continue
        elif isinstance(statement, code.With):
            for value, target in statement.items:
                yield from _mentions(value, name)
                if target is not None and _binds(target, name):
                    yield target.end, "bind"
        elif isinstance(statement, (code.If, code.While)):
            yield from _mentions(statement.test, name)
        elif isinstance(statement, code.Match):
            yield from _mentions(statement.subject, name)
            for case in statement.cases:
                yield from _uses(case.body, name)
        elif not isinstance(statement, code.Try):
            yield from _mentions(statement, name)
        for block in blocks_of(statement):
            yield from _uses(block, name)
        if isinstance(statement, code.Try):
            for handler in statement.handlers:
                yield from _uses(handler.body, name)


def _mentions(node: code.Node, name: str) -> Iterator[_Use]:
    if name in names_read(node):
        yield node.start, "read"


def _binds(target: code.Expression, name: str) -> bool:
    if isinstance(target, code.Name):
        return target.id == name
    if isinstance(target, code.Display):
        return any(_binds(item, name) for item in target.items)
    return isinstance(target, code.Starred) and _binds(target.value, name)


def is_bound_before(place: Place, name: str) -> bool:
    """Whether a name of the function has a value, perhaps, before a statement."""
    function = place.function
    if function is not None and any(parameter.name == name for parameter in function.parameters):
        return True
    return any(kind == "bind" and start <= place.start for start, kind in _uses(scope_of(place), name))


def exists_for_all(place: Place, name: str, is_ranked: Callable[[code.Expression], bool], given: set[str]) -> bool:
    """Whether a name has the value that it should have, on all ranks, where a statement begins.

    Args:
        place: The statement.
        name: A name, or attributes of one (`self.best`).
        is_ranked: Whether a condition tells ranks apart.
        given: The texts of conditions that hold at the statement.
    """
    around = {id(owner) for owner in place.owners}
    if "." in name:
        bodies = [node.body for node in place.owners if isinstance(node, code.Class)][-1:] or [scope_of(place)]
        return not any(_is_for_some(body, name, around, is_ranked) for body in bodies)
    function = place.function
    body = scope_of(place)
    if function is not None and any(parameter.name == name for parameter in function.parameters):
        return not _is_for_some([s for s in body if s.start < place.start], name, around, is_ranked)
    if name not in bound_in(body):
        top = place.file.module.body
        return body is top or name not in bound_in(top) or not _is_for_some(top, name, around, is_ranked)
    before = [statement for statement in body if statement.start < place.start]
    found = _Found(name, place, around, is_ranked, given)
    return found.surely(before)


def _is_for_some(
    body: Sequence[code.Statement], name: str, around: set[int], is_ranked: Callable[[code.Expression], bool]
) -> bool:
    """Whether a name is bound under a condition on the rank that is not around the place."""
    for node in walk(*(statement for statement in body if name in bound_by(statement))):
        if isinstance(node, code.If) and id(node) not in around and is_ranked(node.test):
            bound = names_bound(*node.body, *node.orelse)
            if name in bound:
                return True
    return False


class _Found:
    """Follows a function to a statement, to see whether a name has been bound on the way."""

    def __init__(
        self,
        name: str,
        place: Place,
        around: set[int],
        is_ranked: Callable[[code.Expression], bool],
        given: set[str],
    ) -> None:
        self._name = name
        self._place = place
        self._around = around
        self._is_ranked = is_ranked
        self._given = given

    def surely(self, body: Sequence[code.Statement]) -> bool:
        """Whether the statements before the place bind the name on all ranks."""
        found = False
        for statement in body:
            if statement.start >= self._place.start:
                break
            found = self._after(statement, found)
        return found

    def _after(self, statement: code.Statement, found: bool) -> bool:
        if self._name not in bound_by(statement):
            return found
        if isinstance(statement, code.If):
            if id(statement) in self._around:
                inner = statement.body if any(self._covers(each) for each in statement.body) else statement.orelse
                return self._binds(inner) or found
            if self._is_ranked(statement.test):
                both = self._binds(statement.body) and self._binds(statement.orelse)
                return both  # what only some ranks have cannot be relied upon
            if self._place.file.source(statement.test) in self._given:
                return self._binds(statement.body) or found
            return found or (self._binds(statement.body) and self._binds(statement.orelse))
        if isinstance(statement, (code.For, code.While, code.With, code.Try, code.Match)):
            own = _targets(statement, self._name)
            blocks = list(blocks_of(statement))
            return own or found or any(self._binds(block) for block in blocks)
        return True

    def _binds(self, body: Sequence[code.Statement]) -> bool:
        found = False
        for statement in body:
            if statement.start >= self._place.start:
                break
            found = self._after(statement, found)
        return found

    def _covers(self, statement: code.Statement) -> bool:
        return statement.start <= self._place.start and self._place.end <= statement.end


def _targets(statement: code.Statement, name: str) -> bool:
    if isinstance(statement, code.For):
        return _binds(statement.target, name)
    return isinstance(statement, code.With) and any(
        target is not None and _binds(target, name) for _, target in statement.items
    )
