"""Messages between single processes: who sends to whom in which order, and who waits forever.

The trace of a run is walked for each process of a small job, loops over ranks are run through, and the sends and
receives that it meets are matched. What cannot be decided ends the walk of a process: from there on it may do anything,
and who waits for it is not lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from ddl_lint.analysis.ranks.evaluator import Evaluator
from ddl_lint.analysis.ranks.processes import Process, job
from ddl_lint.analysis.values.certainty import always, is_default_group
from ddl_lint.analysis.values.operators import Concrete, Undecided
from ddl_lint.analysis.values.tags import LOCAL_TAGS, RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.program.trace import Context, Event, Exit
from ddl_lint.program.values import NONE, Apply, Const, Items, Setting, Unknown, Value

_SIZES = range(2, 9)
_MOST_TURNS = 16
_MOST_MESSAGES = 400

_Part: TypeAlias = "Event | Exit | Context"


@dataclass(frozen=True, eq=False, slots=True)
class Message:
    """One half of a message: a send or a receive. `peer` is None when it takes from anyone, `tag` when any tag fits."""

    event: Event
    rank: int
    sends: bool
    blocks: bool
    peer: int | None
    tag: int | None

    @property
    def name(self) -> str:
        """What the call is called: `send`."""
        return str(self.event.constants["operation"])

    def fits(self, other: Message) -> bool:
        """Whether two halves are one message."""
        return (
            self.sends is not other.sends
            and self.peer in (None, other.rank)
            and other.peer in (None, self.rank)
            and (self.tag is None or other.tag is None or self.tag == other.tag)
        )


@dataclass(frozen=True, eq=False, slots=True)
class Stuck:
    """What is wrong with the messages of a run: `message` is the first that never completes.

    kind `self`: it goes to its own sender; `outside`: its peer is not a rank of the job; `order`: all wait for each
    other, though the matching calls come later; `unmatched`: there is no matching call. `others` are those that wait
    as well, the one it waits for first.
    """

    kind: str
    message: Message
    others: tuple[Message, ...] = ()


def stuck(run: RunView) -> Stuck | None:
    """The first message of a run that cannot complete in a job of any size for which the program is meant."""
    if run.exhausted or run.has("init_rpc") or any(_has_own_script(event) for event in run.groups()):
        return None
    events = [event for event in run.events("point_to_point") if event.constants.get("asynchronous") is not True]
    plan = _plan(run) if events else None
    if plan is None:
        return None
    found: list[Stuck] = []
    outside: list[Stuck] = []
    for size in _SIZES:
        courses = [_Walk(plan, process).course() for process in job(1, size)]
        wrong = _beyond(courses)
        if wrong is not None:
            outside.append(wrong)
            continue
        fault = _to_itself(courses) or _waits_forever(courses)
        if fault is None:
            return None
        found.append(fault)
    if not found and outside and tags_of(outside[0].message.event.operands["peer"]) & RANK_TAGS:
        found = outside
    if not found or (not run.is_script and found[0].kind not in ("self", "order")):
        return None  # whoever calls a function of a library may well make the other half
    return found[0]


def _has_own_script(event: Event) -> bool:
    """Whether the number of the process is written into the script: the others run another one."""
    return isinstance(event.operands.get("rank"), Const) and event.operands["rank"] not in (NONE, Const(-1))


# --- the plan of a run ------------------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class _Plan:
    """The messages of a run in the tree of their circumstances, with the ways out that pass by some of them."""

    root: Context | None
    inner: dict[Context | None, list[_Part]] = field(default_factory=lambda: defaultdict(list))
    messages: dict[Context, list[Event]] = field(default_factory=lambda: defaultdict(list))
    """All messages below a circumstance."""

    tags_count: bool = False


def _plan(run: RunView) -> _Plan | None:
    events = run.events("point_to_point")
    starts = {next((node for node in event.context.chain() if node.kind == "process"), None) for event in events}
    if len(starts) > 1 or len({node.location for node in starts if node is not None}) > 1:
        return None  # processes that run different functions
    (root,) = starts
    plan = _Plan(root, tags_count=_counts_tags(run))
    for event in events:
        for node in event.context.chain():
            plan.messages[node].append(event)
    opaque = run.events("unfollowed", "communicate")
    ways = [way for way in run.run.exits if way.leaves is None or way.leaves in plan.messages]
    ordered: list[tuple[int, int, Event | Exit]] = [(event.order, 1, event) for event in (*events, *opaque)]
    ordered += [(way.order, 0, way) for way in ways]
    known: set[Context] = set()
    for _, _, part in sorted(ordered, key=lambda each: each[:2]):
        _hang(plan, part, known)
    return plan


def _hang(plan: _Plan, part: Event | Exit, known: set[Context]) -> None:
    below: _Part = part
    node: Context | None = part.context
    while node is not plan.root:
        if node is None:
            return  # outside of the processes that exchange messages
        plan.inner[node].append(below)
        if node in known:
            return
        known.add(node)
        below, node = node, node.parent
    plan.inner[plan.root].append(below)


def _counts_tags(run: RunView) -> bool:
    """Whether the backend looks at tags; NCCL does not."""
    backends = [event.operands.get("backend") for event in run.events("init_process_group")]
    return bool(backends) and all(always(value, lambda option: option in _TAGGED) for value in backends)


_TAGGED = (Const("gloo"), Const("mpi"))


# --- one process ------------------------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class _Course:
    """The messages of one process in order. `open` when it may do more than that."""

    messages: list[Message] = field(default_factory=list[Message])
    open: bool = False


class _Cut(Exception):
    """What the process does from here on is not known."""


class _Ended(Exception):
    """The process has left the program."""


class _Walk:
    """Walks through the plan of a run as one process."""

    def __init__(self, plan: _Plan, process: Process) -> None:
        self._plan = plan
        self._process = process
        self._evaluator = Evaluator(process)
        self._course = _Course()
        self._left: Exit | None = None

    def course(self) -> _Course:
        """What the process sends and receives."""
        try:
            self._through(self._plan.root)
        except _Cut:
            self._course.open = True
        except _Ended:
            pass
        return self._course

    def _through(self, node: Context | None) -> None:
        for part in self._plan.inner[node]:
            if self._left is not None:
                return
            if isinstance(part, Context):
                self._enter(part)
            elif isinstance(part, Exit):
                self._leave(part)
            else:
                self._meet(part)

    def _enter(self, node: Context) -> None:
        if node.kind == "handler":
            return  # we look at the run in which nothing fails
        if node.kind == "branch":
            if self._is_given(node):
                self._through(node)
        elif node.kind == "loop":
            self._turn(node)
        elif node.kind == "process" or (node.kind == "callback" and node.parent is not self._plan.root):
            raise _Cut
        else:
            self._through(node)
        if self._left is not None and self._left.leaves is node:
            self._left = None

    def _meet(self, event: Event) -> None:
        operation = event.constants.get("operation")
        group = event.operands.get("group")
        if not isinstance(operation, str) or "group" in event.unseen or not is_default_group(group):
            raise _Cut
        sends, receives = "send" in operation, "recv" in operation
        if sends is receives or len(self._course.messages) > _MOST_MESSAGES:
            raise _Cut
        blocks = event.constants.get("asynchronous") is not True
        peer = event.operands.get("peer", NONE)
        number = self._evaluator.number(peer)
        if number is None and (sends or peer != NONE or "peer" in event.unseen):
            raise _Cut
        tag = self._evaluator.number(event.operands.get("tag", Const(0))) if self._plan.tags_count else None
        self._course.messages.append(Message(event, self._process.rank, sends, blocks, number, tag))

    def _leave(self, way: Exit) -> None:
        if way.kind == "raise":
            raise _Cut
        if way.kind == "exit":
            raise _Ended
        self._left = way

    # --- circumstances ---

    def _is_given(self, node: Context) -> bool:
        if node.assumed or node.value is None:
            return True
        try:
            return self._evaluator.truth(node.value) is node.arm
        except Undecided:
            pass
        if tags_of(node.value) & RANK_TAGS:
            raise _Cut
        if node.implied:
            return True  # the way out tells of it
        if node not in self._plan.messages:
            return self._may_leave(node)
        if not self._is_common(node):
            raise _Cut
        return True

    def _may_leave(self, node: Context) -> bool:
        """Whether to follow an undecided branch that sends nothing: never, but behind it all may be different."""
        if any(isinstance(part, Exit) and part.kind != "raise" for part in self._below(node)) and (
            tags_of(node.value or NONE) & LOCAL_TAGS or not _is_setting(node.value or NONE)
        ):
            raise _Cut
        return False

    def _below(self, node: Context) -> Iterator[_Part]:
        for part in self._plan.inner[node]:
            yield part
            if isinstance(part, Context):
                yield from self._below(part)

    def _is_common(self, node: Context) -> bool:
        """Whether an undecided condition is the same on all ranks, and no other message depends on how it turns out."""
        condition = node.value
        if condition is None or tags_of(condition) & LOCAL_TAGS or not _is_setting(condition):
            return False
        below = self._plan.messages[node]
        shared = {part for part in parts(condition) if isinstance(part, (Setting, Unknown)) or _is_element(part)}
        loop = next((outer for outer in node.chain() if outer.kind == "loop"), None)
        others = [event for event in self._all() if event not in below]
        if any(map(_is_element, shared)) and loop is not None:
            return all(event in below for event in self._plan.messages[loop])
        return not any(
            outer.kind == "branch" and outer.value is not None and not shared.isdisjoint(parts(outer.value))
            for event in others
            for outer in event.context.chain()
        )

    def _all(self) -> Sequence[Event]:
        root = self._plan.root
        if root is not None:
            return self._plan.messages[root]
        return max(self._plan.messages.values(), key=len)

    # --- loops ---

    def _turn(self, node: Context) -> None:
        elements = self._elements(node)
        if elements is None:
            self._through(node)
            return
        assert node.value is not None
        for element in elements:
            with self._evaluator.bound(node.value, element):
                self._through(node)
            if self._left is not None:
                if self._left.leaves is not node:
                    return
                ended = self._left.kind == "break"
                self._left = None
                if ended:
                    return

    def _elements(self, node: Context) -> list[Concrete] | None:
        """The turns of a loop, if it is to be run through; else one turn stands for all, the same on all ranks."""
        iterable = node.value
        if iterable is None:
            if node.test is None or tags_of(node.test) & (RANK_TAGS | LOCAL_TAGS):
                raise _Cut  # who knows when it ends
            return None
        if isinstance(iterable, Items) and not iterable.open and len(iterable.items) <= _MOST_TURNS:
            return None  # the trace has all turns
        if self._evaluator.is_bound(iterable):
            raise _Cut
        try:
            found = self._evaluator.concrete(iterable)
        except Undecided:
            if tags_of(iterable) & RANK_TAGS:
                raise _Cut from None
            return None
        if isinstance(found, list) and len(found) <= _MOST_TURNS:
            return list(found)
        return None


def _is_setting(condition: Value) -> bool:
    """Whether a condition asks only for what the user says, and for the number of a turn."""
    return not any(isinstance(part, Unknown) and not _counts(part) for part in parts(condition))


def _is_element(part: Value) -> bool:
    return _counts(part) or (isinstance(part, Apply) and part.operator == "element")


def _counts(part: Value) -> bool:
    """Whether something unknown is the number of a turn, or a variable that a loop changes."""
    if not isinstance(part, Unknown):
        return False
    origin: object = part.origin
    if not isinstance(origin, tuple):
        return False
    origin = cast("tuple[object, ...]", origin)
    return origin[:1] == ("loop",) or origin[-1:] == ("index",)


# --- all processes ----------------------------------------------------------------------------------------------------


def _beyond(courses: Sequence[_Course]) -> Stuck | None:
    """A message to or from a rank that the job does not have."""
    for course in courses:
        for message in course.messages:
            if message.peer is not None and not 0 <= message.peer < len(courses):
                return Stuck("outside", message)
    return None


def _to_itself(courses: Sequence[_Course]) -> Stuck | None:
    for course in courses:
        for message in course.messages:
            if message.peer == message.rank:
                return Stuck("self", message)
    return None


def _waits_forever(courses: Sequence[_Course]) -> Stuck | None:
    rest = _exchange(courses)
    waiting = {rank: course[0] for rank, course in enumerate(rest) if course}
    while True:
        freed = [
            rank
            for rank, message in waiting.items()
            if any(_may_come(other, courses, waiting) for other in _awaited(message, len(courses)))
        ]
        if not freed:
            break
        for rank in freed:
            del waiting[rank]
    if not waiting:
        return None
    first = min(waiting.values(), key=lambda message: (message.event.order, message.rank))
    others = [message for message in waiting.values() if message is not first]
    others.sort(key=lambda message: (message.rank != first.peer, message.event.order))
    in_order = all(
        any(message.fits(later) for other in _awaited(message, len(courses)) for later in rest[other])
        for message in waiting.values()
    )
    return Stuck("order" if in_order else "unmatched", first, tuple(others))


def _awaited(message: Message, size: int) -> list[int]:
    return [message.peer] if message.peer is not None else [rank for rank in range(size) if rank != message.rank]


def _may_come(rank: int, courses: Sequence[_Course], waiting: Mapping[int, Message]) -> bool:
    """Whether a process may still make a call that we do not know of."""
    return rank not in waiting and courses[rank].open


def _exchange(courses: Sequence[_Course]) -> list[list[Message]]:
    """What is left of each course when all messages have been exchanged that can be."""
    left = [list(course.messages) for course in courses]
    posted: list[list[Message]] = [[] for _ in courses]
    moved = True
    while moved:
        moved = False
        for rank, mine in enumerate(left):
            while mine and not mine[0].blocks:
                posted[rank].append(mine.pop(0))
                moved = True
            if mine and _meets(mine[0], left, posted):
                mine.pop(0)
                moved = True
    return left


def _meets(message: Message, left: Sequence[list[Message]], posted: Sequence[list[Message]]) -> bool:
    """Match a message with one that its peer has started or waits in, and take that away."""
    for rank in _awaited(message, len(left)):
        started = next((other for other in posted[rank] if message.fits(other)), None)
        if started is not None:
            posted[rank].remove(started)
            return True
        if left[rank] and left[rank][0].blocks and message.fits(left[rank][0]):
            left[rank].pop(0)
            return True
    return False
