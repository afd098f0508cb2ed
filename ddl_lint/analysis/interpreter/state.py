"""Variables, attributes and facts of objects while a run is followed, with cheap branching.

All writes go through one `State`, which keeps a trail of what was there before. An arm of an `if` is followed in
place, its writes are collected and undone, the other arm is followed, and the two sets of writes are joined: a branch
costs what it writes, however much there is in scope.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ddl_lint.analysis.interpreter.recording import Recording
from ddl_lint.analysis.values.conditions import Condition
from ddl_lint.analysis.values.lattice import choose
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.program.heap import Heap, History
from ddl_lint.program.tags import NO_TAGS, UNIFORM
from ddl_lint.program.values import (
    FALSE,
    TRUE,
    UNKNOWN,
    Fact,
    Object,
    Presences,
    Table,
    Unknown,
    Value,
    Variables,
)

Names = dict[Any, Any]
Changes = dict[tuple[int, Any], tuple[Names, Any, Any]]
"""(identity of the dict, key) -> (the dict, the key, the value now; None for a deleted key)."""


_UNIFORM = frozenset({UNIFORM})


class Notes(dict[Any, Any]):
    """What is remembered by definition or object, such as the body of a class: it is there whichever way was gone."""

    __slots__ = ()


class Created(dict[Object, Any]):
    """The instances that have been made."""

    __slots__ = ()


class Attributes(dict[Any, Any]):
    """What the program has stored on one object."""

    __slots__ = ("owner",)

    def __init__(self, owner: Object) -> None:
        super().__init__()
        self.owner = owner


class Facts(dict[Fact, Any]):
    """The facts of one object, which tell the heap of each change."""

    __slots__ = ("_note", "owner")

    def __init__(self, owner: Object, note: Callable[[Object, Fact, Any], None]) -> None:
        super().__init__()
        self.owner = owner
        self._note = note

    def noted(self, fact: Fact) -> None:
        """Note what is true from now on."""
        self._note(self.owner, fact, self.get(fact))

    def merged(self, fact: Fact, values: Sequence[Any], labels: Sequence[frozenset[Condition]]) -> Any:
        """What is true after one of several ways was gone, of which these are the values (None: nothing is known)."""
        if fact is Fact.WRAPPED:
            return choose([(label, value or FALSE) for label, value in zip(labels, values, strict=True)])
        if fact is Fact.TAGS:
            tags = [self.owner.tags if value is None else value for value in values]
            found = NO_TAGS.union(*tags)
            return found if all(each >= _UNIFORM for each in tags) else found - _UNIFORM
        return next((value for value in reversed(values) if value is not None), None)


OWNED = (Attributes, Facts)
"""The dicts that belong to an object, their `owner`."""


class State:
    """The trail of one run."""

    def __init__(self) -> None:
        self._trail: list[tuple[Names, Any, Any]] = []
        self._created = Created()

    def create(self, made: Object) -> None:
        """Note that an instance exists from now on: on the ways that were gone instead, nothing is stored on it."""
        self.write(self._created, made, True)

    def write(self, names: Names, key: Any, value: Any) -> None:
        """`names[key] = value`."""
        self._trail.append((names, key, names.get(key)))
        names[key] = value
        if type(names) is Variables and key in names.bound:
            self.delete(names.bound, key)

    def delete(self, names: Names, key: Any) -> None:
        """`del names[key]`, if it is there."""
        if key in names:
            self._trail.append((names, key, names.pop(key)))

    def put(self, names: Names, key: Any, value: Any) -> None:
        """Let a name have a value, None where it has none, as a write or several have left it, and nothing else."""
        self._trail.append((names, key, names.get(key)))
        if value is None:
            names.pop(key, None)
        else:
            names[key] = value

    def written(self, mark: int) -> list[tuple[Names, Any, Any, Any]]:
        """What was written since the mark: where, under which key, what is there now and what was there before (None
        for nothing).
        """
        found: dict[tuple[int, Any], tuple[Names, Any, Any, Any]] = {}
        for names, key, before in self._trail[mark:]:
            if (id(names), key) not in found:
                found[id(names), key] = names, key, names.get(key), before
        return list(found.values())

    @property
    def created(self) -> Created:
        """The instances that have been made."""
        return self._created

    def mark(self) -> int:
        """A point to which `changes` and `undo` refer."""
        return len(self._trail)

    def changes(self, mark: int) -> Changes:
        """What was written since the mark."""
        return {(id(names), key): (names, key, names.get(key)) for names, key, _ in self._trail[mark:]}

    def owners(self, mark: int) -> set[Object]:
        """The objects of which something was written since the mark."""
        return {names.owner for names, _, _ in self._trail[mark:] if isinstance(names, OWNED)}

    def undo(self, mark: int) -> None:
        """Take back what was written since the mark."""
        trail = self._trail
        while len(trail) > mark:
            _put(*trail.pop())

    @contextmanager
    def set_aside(self) -> Generator[None]:
        """Take back all that was written while code runs that must not see it, and put it in its place afterwards.
        What was written there meanwhile is what was there before.
        """
        held: list[Any] = []
        for names, key, before in self._trail[::-1]:
            held.append(names.get(key))
            _put(names, key, before)
        try:
            yield
        finally:
            seen: set[tuple[int, Any]] = set()
            for index, (names, key, before) in enumerate(self._trail):
                if (id(names), key) not in seen:
                    seen.add((id(names), key))
                    if names.get(key) is not before:
                        self._trail[index] = (names, key, names.get(key))
                _put(names, key, held.pop())

    def redo(self, changes: Changes) -> None:
        """Write collected changes again."""
        for names, key, value in changes.values():
            if value is None:
                self.delete(names, key)
            else:
                self.write(names, key, value)
            if isinstance(names, Facts):
                names.noted(key)
        for names, key, value in changes.values():
            if isinstance(names, Presences) and value is not None:
                self.write(names, key, value)  # what was written to the variable has taken it away again

    def take_over(self, changes: Changes) -> None:
        """Write what another module has written: what others have put into the same dict stays there."""
        self.redo(
            {
                place: (names, key, _both(names.get(key), value) if isinstance(value, Table) else value)
                for place, (names, key, value) in changes.items()
            }
        )

    def take_back(self, is_meant: Callable[[Names], bool]) -> Changes:
        """Undo what was written into some of the dicts, and return those changes; all others stay."""
        taken = {place: change for place, change in self.changes(0).items() if is_meant(change[0])}
        if taken:
            for names, key, before in self._trail[::-1]:
                if (id(names), key) in taken:
                    _put(names, key, before)
        return taken

    def merge(self, ways: Sequence[tuple[frozenset[Condition], Changes]]) -> None:
        """Write what holds after one of several ways was gone; the state must be the one before them."""
        if len(ways) == 1:
            self.redo(ways[0][1])
            return
        seen: dict[tuple[int, Any], tuple[Names, Any]] = {}
        created: dict[Object, Changes] = {}
        shared: set[Object] = set()
        for _, changes in ways:
            for place, (names, key, _) in changes.items():
                seen[place] = (names, key)
                if isinstance(names, Created) and created.setdefault(key, changes) is not changes:
                    shared.add(key)
        for place, (names, key) in seen.items():
            if isinstance(names, Presences):
                continue  # with its variable
            if isinstance(names, Created):
                self.write(names, key, True)
                continue
            if isinstance(names, Attributes) and names.owner in created and names.owner not in shared:
                stored = created[names.owner].get(place, (names, key, None))[2]
                if stored is not None:
                    self.write(names, key, stored)  # on the other ways the object is not there
                continue
            before = names.get(key)
            values = [changes[place][2] if place in changes else before for _, changes in ways]
            first = values[0]
            bound = _bound(names, key, values, ways) if isinstance(names, Variables) else None
            if first is not None and all(value is first for value in values):
                self.write(names, key, first)
            elif isinstance(names, Notes):
                self.write(names, key, next(value for value in reversed(values) if value is not None))
            elif isinstance(names, Facts):
                self.write(names, key, names.merged(key, values, [labels for labels, _ in ways]))
            else:
                options = [(ways[index][0], value) for index, value in enumerate(values) if value is not None]
                if len(options) < len(ways) and not (options and isinstance(names, Variables)):
                    missing = Unknown((names.owner, key)) if isinstance(names, Attributes) else UNKNOWN  # as it is read
                    options = [(ways[index][0], value or missing) for index, value in enumerate(values)]
                self.write(names, key, choose(options))
            if isinstance(names, Facts):
                names.noted(key)
            if bound is not None and isinstance(names, Variables):
                self.write(names.bound, key, bound)


def _bound(
    names: Variables, key: Any, values: Sequence[Any], ways: Sequence[tuple[frozenset[Condition], Changes]]
) -> Value | None:
    """The condition under which a variable has a value after one of several ways was gone; None where it surely has."""
    before: Value = names.bound.get(key, TRUE)
    if None not in values and not names.bound and not any((id(names.bound), key) in changes for _, changes in ways):
        return None
    after: list[Value] = []
    for value, (_, changes) in zip(values, ways, strict=True):
        if value is None:
            after.append(FALSE)
        elif (id(names.bound), key) in changes:
            after.append(changes[id(names.bound), key][2] or TRUE)
        else:
            after.append(TRUE if (id(names), key) in changes else before)
    found = choose([(labels, value) for (labels, _), value in zip(ways, after, strict=True)])
    return None if found in (TRUE, FALSE) else found


def _put(names: Names, key: Any, value: Any) -> None:
    if value is None:
        names.pop(key, None)
    else:
        names[key] = value
    if isinstance(names, Facts):
        names.noted(key)


class Store(Heap):
    """The heap of a run that is being followed: all that is true of objects at this point of it."""

    __slots__ = ("_known", "_moment", "_stored", "has_changed_tags", "history", "made", "recording", "state")

    def __init__(self, state: State, moment: Callable[[], int]) -> None:
        """`moment` tells how many events the run has seen so far."""
        self._stored: dict[Object, Attributes] = {}
        self._known: dict[Object, Facts] = {}
        super().__init__(self._stored, self._known, {})
        self._moment = moment
        self.state = state
        self.history: History = {}
        """How facts have changed in this run."""

        self.made: list[Object] = []
        """The objects of this run that have had attributes from the beginning."""

        self.has_changed_tags = False
        """Whether any object may depend on more than it was made with."""

        self.recording: Recording | None = None
        """What is noted of the call that is being followed, where it may be kept."""

    def stored_on(self, made: Object) -> Attributes:
        """The attributes of an object, to be written through the state."""
        found = self._stored.get(made)
        if found is None:
            found = self._stored[made] = Attributes(made)
        return found

    def begin(self, made: Object, attributes: Mapping[Any, Value]) -> None:
        """Give an object the attributes that it has from the beginning: whoever has it, has them."""
        if attributes:
            self.stored_on(made).update(attributes)
            self.made.append(made)
            if self.recording is not None:
                self.recording.begun.append((made, dict(attributes)))

    def store(self, made: Object, name: Any, value: Value) -> None:
        """Store an attribute on an object."""
        self.state.write(self.stored_on(made), name, value)

    def known_of(self, made: Object) -> Mapping[Fact, Any]:
        """What is true of an object."""
        return self._known.get(made, {})

    def facts_of(self, made: Object) -> Facts:
        """What is true of an object, to be written through the state."""
        facts = self._known.get(made)
        if facts is None:
            facts = self._known[made] = Facts(made, self._note)
        return facts

    def set(self, made: Object, fact: Fact, value: Any) -> None:
        """Something is true of an object from now on."""
        facts = self.facts_of(made)
        self.has_changed_tags = self.has_changed_tags or fact is Fact.TAGS
        if facts.get(fact) != value:
            self.history.setdefault((made, fact), [(-1, facts.get(fact))])
            if self.recording is not None:
                self.recording.facts.append((made, fact, None, facts.get(fact)))
            self.state.write(facts, fact, value)
            facts.noted(fact)

    def delegate(self, made: Object, heap: Heap) -> None:
        """Let be true what another run has left of an object, and of all that is reached from it."""
        waiting: list[Value] = [made]
        seen: set[Object] = set()
        while waiting:
            for each in objects_in(waiting.pop()):
                if each in seen:
                    continue
                seen.add(each)
                for name, value in heap.attributes(each).items():
                    self.store(each, name, value)
                    waiting.append(value)
                for fact in Fact:
                    known = heap.get(each, fact)
                    if known is not None:
                        self.set(each, fact, known)
                waiting.extend(each.given.values())

    def end(self, mark: int) -> Heap:
        """Take back what was written since the mark; what was true until then is what the run leaves to be asked."""
        changed = {*self.made, *self.state.owners(mark)}
        left = Heap(
            {made: dict(self._stored[made]) for made in changed if made in self._stored},
            {made: dict(self._known[made]) for made in changed if made in self._known},
            self.history,
            self,
        )
        self.history = {}
        self.state.undo(mark)
        self.forget(self.made)
        self.made = []
        self.forget(made for made in changed if not self._stored.get(made) and not self._known.get(made))
        self.has_changed_tags = any(Fact.TAGS in facts for facts in self._known.values())
        return left

    def forget(self, objects: Iterable[Object]) -> None:
        """Drop what is known of objects that nothing holds any more."""
        for made in list(objects):
            self._stored.pop(made, None)
            self._known.pop(made, None)

    def _note(self, made: Object, fact: Fact, value: Any) -> None:
        entries = self.history.get((made, fact))
        if entries is not None:
            moment = self._moment()
            entries.append((moment, value))
            if self.recording is not None:
                self.recording.facts.append((made, fact, moment, value))


def _both(held: Any, added: Table) -> Table:
    """A dict with what two modules have put into it."""
    if not isinstance(held, Table) or held is added:
        return added
    items = dict(held.items)
    for key, value in added.items:
        items[key] = _both(items.get(key), value) if isinstance(value, Table) else value
    return Table(tuple(items.items()), held.open or added.open)
