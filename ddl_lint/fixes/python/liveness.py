"""Where names have their values, and who still reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ddl_lint.fixes.python.file import Place
from ddl_lint.fixes.python.names import Names, targets_of
from ddl_lint.fixes.python.scope import bound_by, names_bound
from ddl_lint.fixes.python.tree import blocks_of, walk
from ddl_lint.program import code


def scope_of(place: Place) -> Sequence[code.Statement]:
    """The body of the function around a statement, or the top level of the file."""
    function = place.function
    return place.file.module.body if function is None else function.body


def names_around(place: Place) -> Names:
    """What the function around a statement, or the top level of the file, does with names."""
    return place.file.names(scope_of(place))


def bound_in(body: Sequence[code.Statement]) -> set[str]:
    """The plain names that a scope binds."""
    return {name for statement in body for name in bound_by(statement) if "." not in name}


def imported(place: Place) -> frozenset[str]:
    """The names that imports bind, in the file and in the functions around a statement."""
    bodies = (owner.body for owner in place.owners if isinstance(owner, code.Function))
    return place.file.names(place.file.module.body).imported.union(
        *(place.file.names(body).imported for body in bodies)
    )


def is_live_after(place: Place, name: str) -> bool:
    """Whether some code in the function may read, after a statement, the value that a name has there."""
    names, statement = names_around(place), place.statement
    later = names.uses_from(name, statement.end)
    if later:
        return later[0][1] == "read"
    for owner in reversed(place.owners):
        if isinstance(owner, (code.Function, code.Class)):
            break
        if isinstance(owner, (code.For, code.While)):
            earlier = names.uses_from(name, owner.start)
            if earlier and earlier[0][0] < statement.start:
                return earlier[0][1] == "read"
    return False


def is_bound_before(place: Place, name: str) -> bool:
    """Whether a name of the function has a value, perhaps, before a statement."""
    function = place.function
    if function is not None and any(parameter.name == name for parameter in function.parameters):
        return True
    first = names_around(place).first_bound(name)
    return first is not None and first <= place.start


def exists_for_all(place: Place, name: str, is_ranked: Callable[[code.Expression], bool], given: set[str]) -> bool:
    """Whether a name has the value that it should have, on all ranks, where a statement begins.

    Args:
        place: The statement.
        name: A name, or attributes of one (`self.best`).
        is_ranked: Whether a condition tells ranks apart.
        given: The texts of conditions that hold at the statement.
    """
    around = {id(owner) for owner in place.owners}
    names = names_around(place)
    if "." in name:
        classes = [node for node in place.owners if isinstance(node, code.Class)]
        binding = (place.file.names(classes[-1].body) if classes else names).binding(name)
        return not _is_for_some(binding, name, around, is_ranked)
    function = place.function
    before = [statement for statement in names.binding(name) if statement.start < place.start]
    if function is not None and any(parameter.name == name for parameter in function.parameters):
        return not _is_for_some(before, name, around, is_ranked)
    if not names.binding(name):
        return not _is_for_some(place.file.names(place.file.module.body).binding(name), name, around, is_ranked)
    return _Found(name, place, around, is_ranked, given).surely(before)


def _is_for_some(
    binding: Sequence[code.Statement], name: str, around: set[int], is_ranked: Callable[[code.Expression], bool]
) -> bool:
    """Whether one of the statements that bind a name does so under a condition on the rank, not around the place."""
    for node in walk(*binding):
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
        """Whether the statements before the place, of which those are given that bind the name, do so on all ranks."""
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
        return name in targets_of(statement.target)
    return isinstance(statement, code.With) and any(
        target is not None and name in targets_of(target) for _, target in statement.items
    )
