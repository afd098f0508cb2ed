"""Whether a value is surely another one in each process: the one question about all that ranks must agree on.

What a rule brings is where ranks must agree, such as the name of a file that others read, or the place where they
meet. Here is what makes them disagree: the clock, chance, the number or the machine of a process, the order of a set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from ddl_lint.analysis.values.contexts import in_process
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_now, tags_of
from ddl_lint.analysis.values.visitors import contents, parts
from ddl_lint.analysis.view import RunView
from ddl_lint.program.heap import Heap
from ddl_lint.program.tags import HASHED, HOST, PROCESS, RANDOM, TIME, UNIFORM, UNIQUE, Tags
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Apply, Const, Object, Rank, Unknown, Value


class Own(Enum):
    """What a process has for itself; the value words it for a message."""

    CLOCK = "its own clock"
    CHANCE = "its own random numbers"
    PROCESS = "its own process ID"
    HASHES = "`hash`, which Python seeds anew in each process"
    HOST = "the name of its own machine"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Why processes have different values; `by_machine` where those of one machine have the same."""

    own: Own

    @property
    def by_machine(self) -> bool:
        """Whether only processes of different machines disagree."""
        return self.own is Own.HOST


def disagreement(run: RunView, event: Event, value: Value | None) -> Disagreement | None:
    """Why a value that an event is given is surely not the same on all ranks; None where it may well be.

    The rank is no reason here: who uses it wants the processes to differ. See `is_named_after_rank`.
    """
    if value is None or tags_of(value) & RANK_TAGS:
        return None
    sent = run.once(_sent) | _handed_over(run, event)
    heap = run.heap.at(event.order)
    found: Own | None = None
    for part in contents(value, heap):
        if not isinstance(part, (Unknown, Object)):
            continue
        if part in sent:
            return None
        own = _own(run, tags_now(part, heap))
        found = own or found
    return Disagreement(found) if found is not None else None


def is_named_after_rank(value: Value | None) -> bool:
    """Whether the number of the process is a piece of a string, as in `f"cache_{rank}.pt"`."""
    return value is not None and any(
        isinstance(part, Rank) and part.scope == "global" for part in parts(value, opened=_is_text)
    )


class Elements(Enum):
    """What a set holds, as far as that is known: numbers have the same order in all processes."""

    TEXTS = "strings"
    UNKNOWN = "unknown"


def order_of_set(value: Value, heap: Heap) -> Elements | None:
    """What is in the set from which a list takes its order; None where no list does, or where it holds numbers."""
    for part in contents(value, heap):
        inner = part.operands[0] if isinstance(part, Apply) and part.operator in _LISTS and part.operands else None
        if not isinstance(inner, Apply) or inner.operator != "set":
            continue
        made = list(parts(inner))
        if any(isinstance(each, Apply) and each.operator == "text" for each in made):
            return Elements.TEXTS
        if not any(_is_of_numbers(each) for each in made):
            return Elements.UNKNOWN
    return None


_LISTS = frozenset({"list", "tuple"})


def _is_of_numbers(part: Value) -> bool:
    if isinstance(part, Apply):
        return part.operator in ("range", "len", "-", "*")
    return isinstance(part, Const) and isinstance(part.value, (int, float))


def _own(run: RunView, tags: Tags) -> Own | None:
    if UNIFORM in tags:
        return None
    if TIME in tags:
        return Own.CLOCK
    if PROCESS in tags:
        return Own.PROCESS
    if HASHED in tags:
        return Own.HASHES
    if UNIQUE in tags or (RANDOM in tags and not run.provides("seed")):
        return Own.CHANCE
    return Own.HOST if HOST in tags else None


def _is_text(part: Value) -> bool:
    return not isinstance(part, Apply) or part.operator in ("text", "+", "join", "%", "derived")


def _sent(run: RunView) -> frozenset[Value]:
    """What goes through calls that all ranks make together: they may have agreed on it."""
    return frozenset(_operands(run, run.events("collective")))


def _handed_over(run: RunView, event: Event) -> frozenset[Value]:
    """What the process of an event was given by the one that has started all of them."""
    process = in_process(event)
    if process is None:
        return frozenset()
    return frozenset(
        part
        for start in run.events("start_processes")
        if start.location == process.location
        for role in ("arguments", "keywords", "function")
        if role in start.operands
        for part in contents(start.operands[role], run.heap)
        if isinstance(part, (Unknown, Object))
    )


def _operands(run: RunView, events: Iterable[Event]) -> Iterator[Value]:
    for event in events:
        for role in ("tensor", "output"):
            if role in event.operands:
                for part in contents(event.operands[role], run.heap):
                    if isinstance(part, (Unknown, Object)):
                        yield part
