"""Dicts under several names: what is changed through one of them is seen through all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ddl_lint.analysis.interpreter.machine import Frame, Machine
from ddl_lint.analysis.interpreter.state import Names
from ddl_lint.analysis.values.visitors import children, rebuild
from ddl_lint.program.values import UNKNOWN, Alternatives, Cells, Items, Object, Table, Value

_DEEPEST = 3
"""How deep in other containers a dict is looked for."""


def share(m: Machine, frame: Frame, changes: Iterable[tuple[Value, Value]]) -> None:
    """Put what has become of dicts wherever these are: in other variables and containers, on objects, also of the
    functions that have led here. Values never change, so a dict is the same one where it is the same thing in memory.
    """
    changes = list(changes)
    found = _Changes(changes)
    least = found.least
    if not least:
        return  # nothing has changed
    if m.recording is not None:
        m.recording.changed += [before for before, _ in changes]
    for names in scopes(frame):
        for name, value in list(names.items()):
            after = found.of(value) if value.size >= least else value
            if after is not value:
                m.state.write(names, name, after)
            elif isinstance(value, Object) and (value.definition is not None or value.kind == "namespace"):
                _share_on(m, value, found)


def holders(m: Machine, frame: Frame, containers: Sequence[Value]) -> Iterator[tuple[Mapping[Any, Value], Any]]:
    """Where a change of one of these containers is seen: the variables and attributes that `share` changes."""
    found = _Changes((each, UNKNOWN) for each in containers)
    for names in scopes(frame):
        for name, value in names.items():
            if found.of(value) is not value:
                yield names, name
            elif isinstance(value, Object) and (value.definition is not None or value.kind == "namespace"):
                stored = m.heap.attributes(value)
                for part, held in stored.items():
                    if found.of(held) is not held:
                        yield stored, part


def _share_on(m: Machine, owner: Object, found: _Changes) -> None:
    for name, value in list(m.heap.attributes(owner).items()):
        after = found.of(value) if value.size >= found.least else value
        if after is not value:
            m.heap.store(owner, name, after)


def scopes(frame: Frame) -> Iterator[Names]:
    """The variables that can be seen here, and those of the functions that have led here, each scope once."""
    seen: set[int] = set()
    place: Frame | None = frame
    while place is not None:
        scope: Cells | None = place.cells
        while scope is not None and id(scope.names) not in seen:
            seen.add(id(scope.names))
            yield scope.names
            scope = scope.outer
        place = place.caller


class _Changes:
    """What has become of dicts, and of what they are in, by identity."""

    def __init__(self, changes: Iterable[tuple[Value, Value]]) -> None:
        self._held = [(before, after) for before, after in changes if before is not after]  # identities stay theirs
        self._known: dict[int, Value] = {id(before): after for before, after in self._held}
        if len(self._held) == 1:  # the usual change is made already where it was written, and need not be looked into
            self._known.setdefault(id(self._held[0][1]), self._held[0][1])
        self.least = min([value.size for pair in self._held for value in pair], default=0)
        """The size of the smallest of them: what is smaller is none of them, and nothing of its size holds one."""

    def of(self, value: Value, depth: int = _DEEPEST) -> Value:
        """What a value is now: the very same thing where nothing in it has changed."""
        known = self._known.get(id(value))
        if known is not None or not self._holds(value, depth):
            return known or value
        after = rebuild(value, lambda part: self.of(part, depth - 1))
        self._held.append((value, after))
        self._known[id(value)] = after
        return after

    def _holds(self, value: Value, depth: int) -> bool:
        if id(value) in self._known:
            return True
        if depth == 0 or value.size <= self.least or not isinstance(value, (Table, Items, Alternatives)):
            return False
        for part in children(value):  # noqa: SIM110 (`any` costs more than what it asks here)
            if self._holds(part, depth - 1):
                return True
        return False
