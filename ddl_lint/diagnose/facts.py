"""What was read in the logs of a job: data only. Nothing here says yet what went wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["root", "victim", "teardown", "notice"]
"""May be what went wrong; what others suffer from it; how the rest is ended; a circumstance."""

_NUMBER = re.compile(r"-?\d+")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_MOST_RANKS = 100_000
_SHORT = 160


@dataclass(frozen=True, slots=True, order=True)
class LogPlace:
    """A line of a log, counted from 1; 0 for a file that has no lines."""

    file: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """A call that was open: file, line, function, and what the log shows of the line."""

    file: str
    line: int
    function: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A line that is understood: of which kind, said by or of which rank, when, and its fields by their names."""

    kind: str
    role: Role
    place: LogPlace
    rank: int | None
    moment: float | None
    text: str
    values: Mapping[str, str] = field(default_factory=dict[str, str])

    def number(self, name: str) -> int | None:
        """A field as a number."""
        found = _NUMBER.fullmatch(self.values.get(name, "").strip())
        return int(found[0]) if found else None

    @property
    def peers(self) -> tuple[int, ...]:
        """The ranks that the line names beside that which says it, such as `1, 2, 5-7`."""
        return numbers(self.values.get("peers", ""))

    @property
    def op(self) -> str:
        """The collective, as the backend names it."""
        return self.values.get("op", "")


def numbers(text: str) -> tuple[int, ...]:
    """The numbers of a list such as `1, 2, 5-7`."""
    found: list[int] = []
    for match in _RANGE.finditer(text):
        first = int(match[1])
        last = min(int(match[2] or first), first + _MOST_RANKS)
        found.extend(range(first, last + 1))
        if len(found) > _MOST_RANKS:
            break
    return tuple(dict.fromkeys(found[:_MOST_RANKS]))


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that ended a process, or one that led to it.

    `kind` and `role` are those of the line that tells it; an exception that no pattern knows is a root.
    """

    exception: str
    message: str
    frames: tuple[Frame, ...]
    place: LogPlace
    rank: int | None
    moment: float | None
    kind: str = ""
    role: Role = "root"
    led_to: bool = False
    """Whether another exception was raised because of it, or while it was handled."""

    @property
    def text(self) -> str:
        """As Python prints it."""
        return f"{self.exception}: {self.message}" if self.message else self.exception

    @property
    def short(self) -> str:
        """The same, without the end of a long message."""
        return self.text if len(self.text) <= _SHORT else f"{self.text[: _SHORT - 1].rstrip()}…"


@dataclass(frozen=True, slots=True)
class Stack:
    """Where a process was at some moment, as `faulthandler` or `py-spy` tell it: innermost first."""

    frames: tuple[Frame, ...]
    place: LogPlace
    rank: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A collective of a flight recorder: what one rank has put on its way, and how far that came."""

    rank: int
    group: str
    op: str
    sequence: int
    state: str
    sizes: tuple[tuple[int, ...], ...] = ()
    dtypes: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    is_p2p: bool = False
    is_retired: bool = False
    """Whether it is no longer waited for: gloo says of none that it is completed."""

    @property
    def is_open(self) -> bool:
        """Whether it did not come to its end."""
        return self.state != "completed" and not self.is_retired


@dataclass(frozen=True, slots=True)
class Recording:
    """The flight recorder of one rank: its entries in order, and the ranks of each group as it knows them."""

    rank: int
    place: LogPlace
    entries: tuple[Entry, ...]
    groups: Mapping[str, tuple[int, ...]]


@dataclass(slots=True)
class Log:
    """All that was read."""

    facts: list[Fact] = field(default_factory=list[Fact])
    raised: list[Raised] = field(default_factory=list[Raised])
    stacks: list[Stack] = field(default_factory=list[Stack])
    recordings: list[Recording] = field(default_factory=list[Recording])
    ranks: set[int] = field(default_factory=set[int])
    """Those of which a line was seen."""

    files: list[str] = field(default_factory=list[str])
    lines: int = 0
    problems: list[str] = field(default_factory=list[str])
    """What could not be read, and why."""

    omitted: int = 0
    """Facts beyond what is kept of one kind and rank."""

    def of(self, *kinds: str) -> list[Fact]:
        """The facts of some kinds, in the order of the logs."""
        return [fact for fact in self.facts if fact.kind in kinds]


def spelled(ranks: Iterable[int]) -> str:
    """Ranks as people write them: `rank 3`, `ranks 0 and 2`, `ranks 0-5 and 7`."""
    ordered = sorted(set(ranks))
    parts: list[str] = []
    start = 0
    for index, rank in enumerate(ordered):
        if index + 1 < len(ordered) and ordered[index + 1] == rank + 1:
            continue
        first = ordered[start]
        length = rank - first + 1
        parts += [f"{first}-{rank}"] if length > 2 else [str(each) for each in range(first, rank + 1)]
        start = index + 1
    if len(parts) > _MOST_PARTS:
        parts = [*parts[:_MOST_PARTS], f"{len(ordered)} in all"]
    noun = "rank" if len(ordered) == 1 else "ranks"
    return f"{noun} {parts[0]}" if len(parts) == 1 else f"{noun} {', '.join(parts[:-1])} and {parts[-1]}"


_MOST_PARTS = 12
