"""What is true of the objects of a run: their attributes, and facts such as "was handed to code that cannot be seen".

Objects themselves never change (`ddl_lint.program.values.Object`). While a run is followed, what becomes true of one
is written to a journaled store (`ddl_lint.analysis.interpreter.state`) and is undone and merged like a variable, so
that nothing goes from one script, branch or edit to another. What a run leaves is a `Heap`: it tells what was true at
the end, or with `at` what was true when an event happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddl_lint.program.values import Fact, Object, Value

History = dict[tuple[Object, Fact], list[tuple[int, Any]]]
"""(object, fact) -> its values in order, each with the number of events that the run had seen before it."""

_NOTHING: dict[Any, Any] = {}


class Heap:
    """What is true of objects at one moment."""

    __slots__ = ("_attributes", "_before", "_facts", "_history")

    def __init__(
        self,
        attributes: Mapping[Object, Mapping[Any, Value]],
        facts: Mapping[Object, Mapping[Fact, Any]],
        history: History,
        before: Heap | None = None,
    ) -> None:
        """`before` knows the objects of which a run has changed nothing."""
        self._attributes = attributes
        self._facts = facts
        self._history = history
        self._before = before

    def attributes(self, made: Object) -> Mapping[Any, Value]:
        """What the program has stored on an object, by name."""
        found = self._attributes.get(made)
        if found is None:
            return _NOTHING if self._before is None else self._before.attributes(made)
        return found

    def get(self, made: Object, fact: Fact) -> Any:
        """What is known of an object, None if nothing is."""
        found = self._facts.get(made)
        if found is None:
            return None if self._before is None else self._before.get(made, fact)
        return found.get(fact)

    def made_of(self, made: Object) -> list[Value]:
        """What an object was made with, and what it was changed with in place."""
        changed = (self.get(made, fact) for fact in (Fact.ADDED, Fact.COMPUTED))
        return [*made.given.values(), *(value for value in changed if value is not None)]

    def is_random(self, made: Object) -> bool:
        """Whether an object holds random values, or gives them."""
        filled = self.get(made, Fact.RANDOM)
        return bool(made.traits.get("random") if filled is None else filled)

    def is_escaped(self, made: Object) -> bool:
        """Whether an object was handed to code that cannot be seen."""
        return self.get(made, Fact.ESCAPED) is True

    def is_kept(self, made: Object) -> bool:
        """Whether an object was stored on an attribute of a model."""
        return self.get(made, Fact.KEPT) is True

    def is_divided(self, made: Object) -> bool:
        """Whether a trainer has an object give each process a part of the data."""
        return self.get(made, Fact.DIVIDED) is True

    def at(self, order: int) -> Heap:
        """What was true of objects when the event of this order happened; attributes are those of the end."""
        return _Moment(self, order)


class _Moment(Heap):
    """A look back at the facts of a finished run."""

    __slots__ = ("_order",)

    def __init__(self, heap: Heap, order: int) -> None:
        super().__init__(heap._attributes, heap._facts, heap._history, heap._before)
        self._order = order

    def get(self, made: Object, fact: Fact) -> Any:
        entries = self._history.get((made, fact))
        if entries is None:
            return super().get(made, fact)
        return next((value for order, value in reversed(entries) if order <= self._order), None)


EMPTY = Heap(_NOTHING, _NOTHING, {})
"""Of a run that has made nothing."""
