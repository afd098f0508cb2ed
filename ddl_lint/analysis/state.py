"""Variables and attributes while a run is followed, with cheap branching.

All writes go through one `State`, which keeps a trail of what was there before. An arm of an `if` is followed in
place, its writes are collected and undone, the other arm is followed, and the two sets of writes are joined: a branch
costs what it writes, however much there is in scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ddl_lint.analysis.operations import Condition, choose
from ddl_lint.program.values import UNKNOWN, Value, Variables

Names = dict[Any, Value]
Changes = dict[tuple[int, Any], tuple[Names, Any, "Value | None"]]
"""(identity of the dict, key) -> (the dict, the key, the value now; None for a deleted key)."""


class State:
    """The trail of one run."""

    def __init__(self) -> None:
        self._trail: list[tuple[Names, Any, Value | None]] = []

    def write(self, names: Names, key: Any, value: Value) -> None:
        """`names[key] = value`."""
        self._trail.append((names, key, names.get(key)))
        names[key] = value

    def delete(self, names: Names, key: Any) -> None:
        """`del names[key]`, if it is there."""
        if key in names:
            self._trail.append((names, key, names.pop(key)))

    def mark(self) -> int:
        """A point to which `changes` and `undo` refer."""
        return len(self._trail)

    def changes(self, mark: int) -> Changes:
        """What was written since the mark."""
        return {(id(names), key): (names, key, names.get(key)) for names, key, _ in self._trail[mark:]}

    def undo(self, mark: int) -> None:
        """Take back what was written since the mark."""
        trail = self._trail
        while len(trail) > mark:
            names, key, before = trail.pop()
            if before is None:
                names.pop(key, None)
            else:
                names[key] = before

    def redo(self, changes: Changes) -> None:
        """Write collected changes again."""
        for names, key, value in changes.values():
            if value is None:
                self.delete(names, key)
            else:
                self.write(names, key, value)

    def merge(self, ways: Sequence[tuple[frozenset[Condition], Changes]]) -> None:
        """Write what holds after one of several ways was gone; the state must be the one before them."""
        if len(ways) == 1:
            self.redo(ways[0][1])
            return
        seen: dict[tuple[int, Any], tuple[Names, Any]] = {}
        for _, changes in ways:
            for place, (names, key, _) in changes.items():
                seen[place] = (names, key)
        for place, (names, key) in seen.items():
            before = names.get(key)
            values = [changes[place][2] if place in changes else before for _, changes in ways]
            first = values[0]
            if first is not None and all(value is first for value in values):
                self.write(names, key, first)
            else:
                options = [(ways[index][0], value) for index, value in enumerate(values) if value is not None]
                if len(options) < len(ways) and not (options and isinstance(names, Variables)):
                    options = [(ways[index][0], value or UNKNOWN) for index, value in enumerate(values)]
                self.write(names, key, choose(options))
