"""Messages between single processes: who sends to whom in which order, and who waits forever.

The trace of a run is walked for each process of a small job, loops over ranks are run through, and the sends and
receives that it meets are matched. What cannot be decided ends the walk of a process: from there on it may do anything,
and who waits for it is not lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from ddl_lint.analysis.queries.backends import all_match_tags
from ddl_lint.analysis.ranks.processes import Process, job
from ddl_lint.analysis.ranks.simulation import Simulation
from ddl_lint.analysis.ranks.timeline import Stretch, Timeline, TimelineStep, timeline_of
from ddl_lint.analysis.values.certainty import is_default_group
from ddl_lint.analysis.values.operators import Concrete, Undecided
from ddl_lint.analysis.values.tags import LOCAL_TAGS, RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.program.event_types import Communicate, InitProcessGroup, InitRpc, PointToPoint, Unfollowed
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Apply, Const, Items, Setting, Unknown, Value

_SIZES = range(2, 9)
_MOST_TURNS = 16
_MOST_MESSAGES = 400


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


def stuck(run: RunView, api: ApiIndex) -> Stuck | None:
    """The first message of a run that cannot complete in a job of any size for which the program is meant."""
    if run.exhausted or run.has(InitRpc) or any(_has_own_script(event) for event in run.groups()):
        return None
    events = [event for event in run.events(PointToPoint) if event.constants.get("asynchronous") is not True]
    plan = _plan(run, api) if events else None
    if plan is None:
        return None
    found: list[Stuck] = []
    outside: list[Stuck] = []
    for size in _SIZES:
        executions = [_execute(plan, process) for process in job(1, size)]
        wrong = _beyond(executions)
        if wrong is not None:
            outside.append(wrong)
            continue
        fault = _to_itself(executions) or _waits_forever(executions)
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


# --- the messages of a run --------------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class _Plan:
    """The timeline of a run in which the calls are its messages."""

    timeline: Timeline
    root: Context | None
    """The process of the program that exchanges messages; None where it is the run itself."""

    messages: dict[Context, list[Event]] = field(default_factory=lambda: defaultdict(list))
    """All messages below a circumstance."""

    tags_count: bool = False

    @property
    def all(self) -> Sequence[Event]:
        """All messages of the run."""
        return self.messages[self.root] if self.root is not None else max(self.messages.values(), key=len)


def _plan(run: RunView, api: ApiIndex) -> _Plan | None:
    events = run.events(PointToPoint)
    starts = {next((node for node in event.context.chain() if node.kind == "process"), None) for event in events}
    if len(starts) > 1 or len({node.location for node in starts if node is not None}) > 1:
        return None  # processes that run different functions
    (root,) = starts
    opaque = (
        TimelineStep(event.context, event.order, event, opaque=True) for event in run.events(Unfollowed, Communicate)
    )
    steps = [*(TimelineStep(event.context, event.order, event) for event in events), *opaque]
    plan = _Plan(timeline_of(run, steps), root, tags_count=all_match_tags(run.events(InitProcessGroup), api))
    for event in events:
        for node in event.context.chain():
            plan.messages[node].append(event)
    return plan


# --- one process ------------------------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class _Execution:
    """The messages of one process in order. `open` when it may do more than that."""

    messages: list[Message] = field(default_factory=list[Message])
    open: bool = False


class _Cut(Exception):
    """What the process does from here on is not known."""


def _execute(plan: _Plan, process: Process) -> _Execution:
    """What a process sends and receives."""
    talker = _Talker(plan, process)
    try:
        talker.simulation.walk(talker)
    except _Cut:
        talker.execution.open = True
    return talker.execution


class _Talker:
    """Goes through the messages of a run as one process."""

    def __init__(self, plan: _Plan, process: Process) -> None:
        self.execution = _Execution()
        self.simulation = Simulation(plan.timeline, process)
        self._plan = plan
        self._evaluator = self.simulation.evaluator
        self._outside = set(plan.root.chain()) if plan.root is not None else set[Context]()
        """The circumstances around the process; what else lies outside of it does not concern it."""

    def iterations(self, stretch: Stretch) -> Iterable[object]:
        """Loops over ranks are run through; what cannot be decided ends the walk."""
        node = stretch.node
        if node is None or node in self._outside:
            return (None,)
        if not self._is_inside(node) or node.kind == "handler":
            return ()  # we look at the run in which nothing fails
        if node.kind == "branch":
            return (None,) if self._is_given(node, stretch) else ()
        if node.kind == "loop":
            return self._elements(node)
        if node.kind == "process" or (node.kind == "callback" and node.parent is not self._plan.root):
            raise _Cut
        return (None,)

    def reach(self, step: TimelineStep) -> None:
        """Note a message; who knows what comes after a call that cannot be seen."""
        event = step.event
        if event is None or not self._is_inside(step.context):
            return
        operation = event.constants.get("operation")
        group = event.operands.get("group")
        if not isinstance(operation, str) or "group" in event.unseen or not is_default_group(group):
            raise _Cut
        sends, receives = "send" in operation, "recv" in operation
        if sends is receives or len(self.execution.messages) > _MOST_MESSAGES:
            raise _Cut
        blocks = event.constants.get("asynchronous") is not True
        peer = event.operands.get("peer", NONE)
        number = self._evaluator.number(peer)
        if number is None and (sends or peer != NONE or "peer" in event.unseen):
            raise _Cut
        tag = self._evaluator.number(event.operands.get("tag", Const(0))) if self._plan.tags_count else None
        self.execution.messages.append(Message(event, self.simulation.process.rank, sends, blocks, number, tag))

    def leave(self, step: TimelineStep) -> bool:
        """Take an early exit; an error may be caught somewhere."""
        if not self._is_inside(step.context):
            return False
        if step.exit is not None and step.exit.kind == "raise":
            raise _Cut
        return True

    def miss(self, part: TimelineStep | Stretch, early_exit: TimelineStep) -> None:
        """What is passed over sends nothing."""

    def _is_inside(self, context: Context) -> bool:
        return self._plan.root is None or any(node is self._plan.root for node in context.chain())

    # --- circumstances ---

    def _is_given(self, node: Context, stretch: Stretch) -> bool:
        if node.assumed or node.value is None:
            return True
        try:
            return self._evaluator.truth(node.value) is node.arm
        except Undecided:
            pass
        if tags_of(node.value) & RANK_TAGS:
            raise _Cut
        if node.implied:
            return True  # the early exit tells of it
        if node not in self._plan.messages:
            return self._may_leave(node.value, stretch)
        if not self._is_common(node, node.value):
            raise _Cut
        return True

    @staticmethod
    def _may_leave(condition: Value, stretch: Stretch) -> bool:
        """Whether to follow an undecided branch that sends nothing: never, but after it all may be different."""
        leaves = any(step.exit is not None and step.exit.kind != "raise" for step in stretch.steps())
        if leaves and (tags_of(condition) & LOCAL_TAGS or not _is_setting(condition)):
            raise _Cut
        return False

    def _is_common(self, node: Context, condition: Value) -> bool:
        """Whether an undecided condition is the same on all ranks, and no other message depends on how it turns out."""
        if tags_of(condition) & LOCAL_TAGS or not _is_setting(condition):
            return False
        below = self._plan.messages[node]
        shared = {part for part in parts(condition) if isinstance(part, (Setting, Unknown)) or _is_element(part)}
        loop = next((outer for outer in node.chain() if outer.kind == "loop"), None)
        others = [event for event in self._plan.all if event not in below]
        if any(map(_is_element, shared)) and loop is not None:
            return all(event in below for event in self._plan.messages[loop])
        return not any(
            outer.kind == "branch" and outer.value is not None and not shared.isdisjoint(parts(outer.value))
            for event in others
            for outer in event.context.chain()
        )

    # --- loops ---

    def _elements(self, node: Context) -> Iterator[object]:
        """The iterations of a loop, if it is to be run through; else one represents all, the same on all ranks."""
        elements = self._listed(node)
        if elements is None or node.value is None:
            yield None
            return
        for element in elements:
            with self._evaluator.bound(node.value, element):
                yield element

    def _listed(self, node: Context) -> list[Concrete] | None:
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
        return found if isinstance(found, list) and len(found) <= _MOST_TURNS else None


def _is_setting(condition: Value) -> bool:
    """Whether a condition asks only for what the user says, and for the number of an iteration."""
    return not any(isinstance(part, Unknown) and not _counts(part) for part in parts(condition))


def _is_element(part: Value) -> bool:
    return _counts(part) or (isinstance(part, Apply) and part.operator == "element")


def _counts(part: Value) -> bool:
    """Whether something unknown is the number of an iteration, or a variable that a loop changes."""
    if not isinstance(part, Unknown):
        return False
    origin: object = part.origin
    if not isinstance(origin, tuple):
        return False
    origin = cast("tuple[object, ...]", origin)
    return origin[:1] == ("loop",) or origin[-1:] == ("index",)


# --- all processes ----------------------------------------------------------------------------------------------------


def _beyond(executions: Sequence[_Execution]) -> Stuck | None:
    """A message to or from a rank that the job does not have."""
    for execution in executions:
        for message in execution.messages:
            if message.peer is not None and not 0 <= message.peer < len(executions):
                return Stuck("outside", message)
    return None


def _to_itself(executions: Sequence[_Execution]) -> Stuck | None:
    for execution in executions:
        for message in execution.messages:
            if message.peer == message.rank:
                return Stuck("self", message)
    return None


def _waits_forever(executions: Sequence[_Execution]) -> Stuck | None:
    rest = _exchange(executions)
    waiting = {rank: execution[0] for rank, execution in enumerate(rest) if execution}
    while True:
        freed = [
            rank
            for rank, message in waiting.items()
            if any(_may_come(other, executions, waiting) for other in _awaited(message, len(executions)))
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
        any(message.fits(later) for other in _awaited(message, len(executions)) for later in rest[other])
        for message in waiting.values()
    )
    return Stuck("order" if in_order else "unmatched", first, tuple(others))


def _awaited(message: Message, size: int) -> list[int]:
    return [message.peer] if message.peer is not None else [rank for rank in range(size) if rank != message.rank]


def _may_come(rank: int, executions: Sequence[_Execution], waiting: Mapping[int, Message]) -> bool:
    """Whether a process may still make a call that we do not know of."""
    return rank not in waiting and executions[rank].open


def _exchange(executions: Sequence[_Execution]) -> list[list[Message]]:
    """What is left of each execution when all messages have been exchanged that can be."""
    left = [list(execution.messages) for execution in executions]
    posted: list[list[Message]] = [[] for _ in executions]
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
