"""What is noted of a call while it is followed, so that it need not be followed again where nothing is different."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ddl_lint.program import code
from ddl_lint.program.values import Fact, Object, Value
from ddl_lint.source.span import Location

Question: TypeAlias = tuple[Literal["inside", "follow", "refuse", "took", "back"], code.Function, int, int, str]
"""What was asked, or changed, of what the run has followed of a function, with up to three particulars:

inside   whether it is being followed: its place among those that are, -1 where it is not
follow   whether it is followed once more: the answer, and the circumstances (1 decorating, 2 hooks)
refuse   whether it had made collective calls, where it was not followed: the answer
took     it was followed: its own statements, its collective calls, and the path of its file
back     whether it was called for code that cannot be seen already: the answer
"""


Told: TypeAlias = Literal["nothing", "something", "plain", "any"]
"""What was found of a call that cannot be seen: there was none so far, one, one that gives nothing wrapped."""


@dataclass(eq=False, slots=True)
class Recording:
    """What a call has asked of its run, and has done to it beside what the trail tells."""

    outer: Recording | None = None
    depth: int = 0
    """How many functions were being followed where it began."""

    is_spoilt: bool = False
    """Whether something was asked, or done, that is not noted."""

    questions: list[Question] = field(default_factory=lambda: [])
    facts: list[tuple[Object, Fact, int | None, Any]] = field(default_factory=lambda: [])
    """Entries of the history of facts, in order: the number of events before, None where it begins with what was."""

    begun: list[tuple[Object, Mapping[Any, Value]]] = field(default_factory=lambda: [])
    """Objects that have attributes from the beginning."""

    carried: list[tuple[Value, tuple[Value, Value]]] = field(default_factory=lambda: [])
    makers: list[tuple[Location, tuple[Value, tuple[Value, ...]]]] = field(default_factory=lambda: [])
    read: list[tuple[Location, Told]] = field(default_factory=lambda: [])
    """What was looked up of such calls."""

    computed: list[tuple[code.Function, tuple[tuple[object, ...], Value]]] = field(default_factory=lambda: [])
    modules: dict[str, None] = field(default_factory=dict[str, None])
    """The modules whose names were asked for."""

    changed: list[Value] = field(default_factory=lambda: [])
    """The containers that were changed, each as it was."""

    def read_computed(self, function: code.Function, count: int) -> None:
        """What a function has given before was looked up: so many results, which must all come from this call."""
        each: Recording | None = self
        while each is not None:
            if count > sum(1 for one, _ in each.computed if one is function):
                each.is_spoilt = True
            each = each.outer

    def read_maker(self, place: Location, told: Told) -> None:
        """Note what was found of a call at a place that cannot be seen."""
        each: Recording | None = self
        while each is not None:
            if all(place != one for one, _ in each.makers):  # else the call itself has made it
                each.read.append((place, told))
                each.is_spoilt = each.is_spoilt or told == "any"
            each = each.outer

    def spoil(self) -> None:
        """Note that the call must be followed each time."""
        each: Recording | None = self
        while each is not None:
            each.is_spoilt = True
            each = each.outer

    def hand_on(self) -> None:
        """Let the call around this one have done all that this one has."""
        outer = self.outer
        if outer is None:
            return
        outer.questions += self.questions
        outer.facts += self.facts
        outer.begun += self.begun
        outer.carried += self.carried
        outer.makers += self.makers
        outer.computed += self.computed
        outer.modules.update(self.modules)
        outer.changed += self.changed
