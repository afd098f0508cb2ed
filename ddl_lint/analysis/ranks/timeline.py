"""The part of a run that decides whether ranks meet: the calls that all must make, and the early exits before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from ddl_lint.analysis.ranks.grid import Division, division
from ddl_lint.analysis.ranks.processes import Process, job
from ddl_lint.analysis.ranks.together import Certainty, is_together
from ddl_lint.analysis.values.contexts import branches
from ddl_lint.analysis.values.tags import RANK_TAGS, asked_by, tags_of
from ddl_lint.analysis.values.visitors import dependencies, is_repeatable, parts, rebuild
from ddl_lint.analysis.view import RunView
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.program.event_types import InitProcessGroup, InitRpc
from ddl_lint.program.trace import Context, Event, Exit
from ddl_lint.program.values import Apply, Table, Unknown, Value
from ddl_lint.source.span import Location

_MORE = 4
"""How many more processes there are on a node of the job by which classes are named."""


@dataclass(eq=False, slots=True)
class TimelineStep:
    """A point of the timeline: a call that all ranks must make, or an early exit.

    `opaque` is a call of which we do not know what it does among the ranks. `scopes` are the calls and loops around
    the point that some early exit may end.
    """

    context: Context
    order: int
    event: Event | None = None
    exit: Exit | None = None
    certainty: Certainty = "surely"
    opaque: bool = False
    loops: tuple[Context, ...] = ()
    scopes: frozenset[Context] = frozenset()
    ends: Context | None = None
    """The outermost loop with collectives that an early exit ends."""

    group: str = ""
    """The dimension of parallelism in whose groups the call is made; empty where all ranks make it together."""

    @property
    def name(self) -> str:
        """What the program calls it: `broadcast_object`, `forward`."""
        return name_of(self.event) if self.event is not None else "end of loop"

    @property
    def operation(self) -> str:
        """What two processes must agree on to meet here."""
        operation = self.event.constants.get("operation") if self.event is not None else None
        return operation if isinstance(operation, str) else self.name

    @property
    def location(self) -> Location:
        """Where the call or the early exit is written."""
        if self.event is not None:
            return self.event.location
        assert self.exit is not None
        return self.exit.location


@dataclass(eq=False, slots=True)
class Stretch:
    """What lies under one circumstance: steps, and the stretches under circumstances within it, in order."""

    node: Context | None
    """None for the whole timeline."""

    parts: list[TimelineStep | Stretch] = field(default_factory=list["TimelineStep | Stretch"])

    def steps(self) -> Iterator[TimelineStep]:
        """All steps of it, those of inner stretches too."""
        for part in self.parts:
            if isinstance(part, TimelineStep):
                yield part
            else:
                yield from part.steps()


@dataclass(eq=False, slots=True)
class Timeline:
    """The steps of a run in order. `conditions` holds the condition of every branch around them."""

    run: RunView
    steps: list[TimelineStep]
    whole: Stretch = field(default_factory=lambda: Stretch(None))
    """The same steps in the tree of their circumstances."""

    conditions: dict[Context, Value] = field(default_factory=dict[Context, Value])
    lengths: dict[Context, Value] = field(default_factory=dict[Context, Value])
    """What loops go over, where that differs between ranks."""

    @property
    def division(self) -> Division | None:
        """How the program divides its job among dimensions of parallelism."""
        return division(self.run)

    def job(self, nodes: int, per_node: int) -> tuple[Process, ...]:
        """The processes of a job of so many nodes, with their places in the groups of the program."""
        return job(nodes, per_node, self.division)

    def larger(self, nodes: int, per_node: int) -> tuple[Process, ...]:
        """The processes of a larger job, by which classes of ranks are named; where the program divides its job, of the
        same one, because the ranks of a group are others in each job.
        """
        return self.job(nodes, per_node if self.division is not None else per_node + _MORE)

    def early_exits(self, step: TimelineStep) -> Iterator[TimelineStep]:
        """The early exits before a step that would keep a process from it."""
        for other in self.steps:
            if other is step:
                return
            taken = other.exit
            if taken is not None and taken.kind != "raise" and (taken.leaves is None or taken.leaves in step.scopes):
                yield other

    def ranked(self) -> list[Value]:
        """The conditions and lengths that differ between ranks, each once."""
        asked = [value for value in self.conditions.values() if _asks_for_rank(value) or self._carries(value)]
        return list(dict.fromkeys((*asked, *self.lengths.values())))

    def _carries(self, condition: Value) -> bool:
        carried = self.run.run.carried
        return any(
            change is not None and bool(tags_of(change[1]) & RANK_TAGS)
            for change in (carried.get(part) for part in parts(condition) if isinstance(part, Unknown))
        )


def _asks_for_rank(condition: Value) -> bool:
    """Whether the rank may decide a condition."""
    return bool(asked_by(condition) & RANK_TAGS)


def name_of(event: Event) -> str:
    """What a call that all ranks must make is called: `all_reduce`, `barrier`, `forward`."""
    if event.kind in ("forward", "backward"):
        return event.kind
    owner, _, name = event.api.rpartition(".")
    return (owner.rpartition(".")[2] if name == "__call__" else name) or event.kind


def timeline(run: RunView, api: ApiIndex) -> Timeline:
    """The timeline of a run; without steps where the run has none that matter."""
    steps = list(calls(run, api))
    if not steps or run.has(InitRpc):  # programs whose ranks have roles
        return Timeline(run, [])
    if run.has(InitProcessGroup) and not run.groups():  # of one process
        return Timeline(run, [])
    return timeline_of(run, steps)


def timeline_of(run: RunView, steps: list[TimelineStep]) -> Timeline:
    """The timeline of these steps of a run, with the early exits before them."""
    around = {node for step in steps if not step.opaque for node in step.context.chain()}
    steps.extend(_early_exits(run, around))
    steps.sort(key=lambda step: (step.order, step.event is not None))
    ended = {step.exit.leaves for step in steps if step.exit is not None}
    made = Timeline(run, steps, _arranged(steps))
    for step in steps:
        chain = list(step.context.chain())
        step.scopes = frozenset(node for node in chain if node in ended)
        step.loops = tuple(node for node in chain if node.kind == "loop")
        for node in chain:
            if node in made.conditions or node.implied or node.assumed:
                continue  # an early exit tells of what is implied; what is assumed holds in all processes
            if node.kind == "branch" and node.value is not None:
                made.conditions[node] = _pinned(node.value, node)
            elif node.kind == "loop" and node.test is not None:
                made.conditions[node] = _pinned(node.test, node)
            elif node.kind == "loop" and node.value is not None and _is_range_by_rank(node.value):
                made.lengths[node] = node.value
    return made


def _arranged(steps: Iterable[TimelineStep]) -> Stretch:
    """Steps in the tree of their circumstances. One that is come to again makes another stretch."""
    whole = Stretch(None)
    path = [whole]
    for step in steps:
        # What is in a `with` happens as often as the statement, which may have more items than calls can nest.
        chain = [node for node in step.context.chain() if node.kind != "with"][::-1]
        shared = 0
        while shared < len(chain) and shared + 1 < len(path) and path[shared + 1].node is chain[shared]:
            shared += 1
        del path[shared + 1 :]
        for node in chain[shared:]:
            inner = Stretch(node)
            path[-1].parts.append(inner)
            path.append(inner)
        path[-1].parts.append(step)
    return whole


def _is_range_by_rank(iterable: Value) -> bool:
    is_range = isinstance(iterable, Apply) and iterable.operator == "range"
    return is_range and bool(tags_of(iterable) & RANK_TAGS) and is_small(iterable)


def calls(run: RunView, api: ApiIndex) -> Iterator[TimelineStep]:
    """The calls of a run that all ranks must make together, and those of which that is not known."""
    cut = _unfinished(run)
    for event in run.all_events:
        if event.kind in ("unfollowed", "communicate"):
            yield TimelineStep(event.context, event.order, event, opaque=True)
            continue
        certainty = is_together(event, run, api)
        if certainty is not None:
            opaque = _is_out_of_hand(event.context) or any(node in cut for node in event.context.chain())
            yield TimelineStep(event.context, event.order, event, certainty=certainty, opaque=opaque)


def _unfinished(run: RunView) -> set[Context]:
    """The branches of which an exhausted run has followed one arm only."""
    cut = run.run.cut
    return set() if cut is None else set(branches(cut.context))


def _is_out_of_hand(context: Context) -> bool:
    """Whether the code runs when a library calls it back, or in a thread or process that only some ranks start."""
    inner_process = False
    for node in context.chain():
        if node.kind == "callback" and node.parent is not None:
            around = _without_decorators(node)
            if around.kind != "process" and node.location != around.location:
                return True
        elif node.kind == "process":
            inner_process = True
        elif inner_process and node.kind == "branch" and node.value is not None and tags_of(node.value) & RANK_TAGS:
            return True
    return False


def _without_decorators(node: Context) -> Context:
    """What is around a call but the contexts that decorators of the function open for it."""
    around = node.parent
    while around is not None and around.kind == "with" and around.location == node.location:
        around = around.parent
    return around or node


def _early_exits(run: RunView, around: set[Context]) -> Iterator[TimelineStep]:
    for each in run.run.exits:
        if each.leaves is None:
            yield TimelineStep(each.context, each.order, exit=each)
        elif each.leaves in around:
            ends = None
            if each.kind != "continue":
                for node in each.context.chain():
                    if node.kind == "loop" and node in around:
                        ends = node
                    if node is each.leaves:
                        break
            yield TimelineStep(each.context, each.order, exit=each, ends=ends)


_LARGEST_CONDITION = 150
"""The number of parts of a condition, the labels of its alternatives included; a larger one is unknown."""


def is_small(condition: Value) -> bool:
    """Whether it is worth while to look into a condition."""
    found = parts(condition, opened=lambda part: not isinstance(part, Table), below=dependencies)
    return sum(1 for _ in islice(found, _LARGEST_CONDITION + 1)) <= _LARGEST_CONDITION


def _pinned(condition: Value, node: Context) -> Value:
    """The condition with a name for what is unknown in it: the same in both arms, and nowhere else."""
    place = ("at", node.location.path, node.location.start, id(node.parent))
    if not is_small(condition):
        return Unknown(place, tags_of(condition))
    if is_repeatable(condition):
        return condition
    if not tags_of(condition) & RANK_TAGS:
        return Unknown(place, tags_of(condition))
    return _named(condition, place)


def _named(value: Value, place: tuple[object, ...]) -> Value:
    if isinstance(value, Unknown):
        return Unknown(place, value.tags) if value.origin is None else value

    def named(part: Value) -> Value:
        return _named(part, place)

    return rebuild(value, named, named)
