"""The divergences of a run, each fault once, and what runs tell each other of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.divergence import Divergence, divergences
from ddl_lint.analysis.ranks.groups import group_divergences
from ddl_lint.analysis.ranks.timeline import Timeline, timeline
from ddl_lint.analysis.ranks.together import spans_processes
from ddl_lint.analysis.shared import Shared
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Finding
from ddl_lint.program import code
from ddl_lint.program.events import CollectiveWhen
from ddl_lint.program.trace import Context
from ddl_lint.program.values import Rank

Family: TypeAlias = Literal["chief", "group", "pass", "state", "call", "turn"]
"""What does not meet: something under a multi-worker strategy, the creation of a group, a forward or backward, the
gathering of state, any other call, the next iteration of a loop. Each has a message and a fix of its own."""

_FAMILIES: dict[str, Family] = {
    "new_group": "group",
    "forward": "pass",
    "backward": "pass",
    "optimizer_step": "pass",
    **dict.fromkeys(("state_dict", "save_sharded", "load_sharded", "save", "load", "load_state"), "state"),
}


_UNDER_STRATEGY = (CollectiveWhen.MULTI_WORKER_STRATEGY, CollectiveWhen.SAVES_METRICS)


@dataclass(frozen=True, eq=False)
class Found:
    """A divergence, and the run in which it was found."""

    run: RunView
    divergence: Divergence

    @property
    def family(self) -> Family:
        """What kind of call it is at which ranks do not meet."""
        event = self.divergence.step.event
        if event is None:
            return "turn"
        if event.collective_when in _UNDER_STRATEGY and spans_processes(self.run):
            return "chief"
        return _FAMILIES.get(event.kind, "call")


def found_divergences(run: RunView) -> tuple[Found, ...]:
    """What the rules about ranks choose from: the divergences of a run, each place once."""
    return run.once(_found)


def timeline_of(run: RunView) -> Timeline:
    """The timeline of a run."""
    return run.once(timeline, run.api)


def all_divergences(run: RunView) -> Sequence[Divergence]:
    """The divergences of a run, of which several may be at one place."""
    return run.once(_divergences)


def _divergences(run: RunView) -> list[Divergence]:
    everywhere = (*divergences(timeline_of(run)), *group_divergences(run))
    return [found for found in everywhere if not _asks_for_root(found)]


def _asks_for_root(divergence: Divergence) -> bool:
    """Whether the condition is about the number of the root, which is the same on all ranks: what is a rank by its
    name only, and says who sends, is not the number of the caller.
    """
    event, guard = divergence.step.event, divergence.guard
    root = event.operands.get("root") if event is not None else None
    if root is None or guard is None or guard.value is None:
        return False
    asked = {part for part in parts(guard.value) if isinstance(part, Rank)}
    named = {part for part in parts(root) if isinstance(part, Rank) and part.source == "name"}
    return bool(asked) and asked <= named


def _found(run: RunView) -> tuple[Found, ...]:
    by_place: dict[object, list[Found]] = defaultdict(list)
    for divergence in all_divergences(run):
        by_place[divergence.place].append(Found(run, divergence))
    return tuple(min(same, key=_weight) for same in by_place.values())


# --- beside other runs ------------------------------------------------------------------------------------------------

FunctionId: TypeAlias = tuple[str, int, int]
"""The name of a function, and where in its file it starts and ends."""


@dataclass(frozen=True)
class Called:
    """A run calls a function in which ranks meet."""

    function: FunctionId


@dataclass(frozen=True)
class OneSidedCall:
    """A function that nothing starts lacks a call on some ranks. Several of one file may be halves of one protocol: one
    waits, the other lets go."""

    path: str
    function: FunctionId | None
    name: str
    lacks_first: bool
    """Whether it is rank 0 that does not make the call."""


def publish(run: RunView) -> Iterator[Called | OneSidedCall]:
    """What a run tells others of the calls that its ranks make together."""
    return iter(run.once(_facts))


def _facts(run: RunView) -> list[Called | OneSidedCall]:
    return list(_told(run))


def _told(run: RunView) -> Iterator[Called | OneSidedCall]:
    yield from map(Called, sorted(_called(run)))
    if not run.is_script:
        for divergence in all_divergences(run):
            yield _one_sided_call(Found(run, divergence))


def one_sided_call_of(found: Found) -> OneSidedCall | None:
    """What the join must know of a divergence; None in a script, where other runs have no say."""
    return None if found.run.is_script else _one_sided_call(found)


def join(finding: Finding, shared: Shared[Called | OneSidedCall]) -> Finding | None:
    """Of what no script starts, what others call is looked at there. Where what several functions lack makes up for
    each other, nothing can be said of them.
    """
    one = finding.about
    if not isinstance(one, OneSidedCall):
        return finding
    if one.function is not None and Called(one.function) in shared.program:
        return None
    halves = (fact for fact in shared.program if isinstance(fact, OneSidedCall))
    return None if any(_complements(other, one) for other in halves) else finding


def _complements(other: OneSidedCall, one: OneSidedCall) -> bool:
    return (
        other.path == one.path
        and other.function != one.function
        and other.name == one.name
        and other.lacks_first is not one.lacks_first
    )


def _one_sided_call(found: Found) -> OneSidedCall:
    divergence, entered = found.divergence, _entered(found)
    function = _id(entered) if entered is not None else None
    return OneSidedCall(found.run.run.path, function, divergence.step.name, divergence.lacking.first.rank == 0)


def _called(run: RunView) -> set[FunctionId]:
    """The functions with steps that are called by another one; in a script, all that it comes to."""
    seen: set[Context] = set()
    called: set[code.Function] = set()
    for step in timeline_of(run).steps:
        inner: code.Function | None = None
        for node in step.context.chain():
            if node.function is not None:
                if inner is not None:
                    called.add(inner)
                inner = node.function
            if node in seen:
                break
            seen.add(node)
        if inner is not None and run.is_script:
            called.add(inner)
    return set(map(_id, called))


def _id(function: code.Function) -> FunctionId:
    return function.name, function.start, function.end


def _entered(found: Found) -> code.Function | None:
    """The outermost function around a divergence: where its run begins."""
    around = [node.function for node in found.divergence.step.context.chain() if node.function is not None]
    return around[-1] if around else None


_PLAINEST: tuple[Family, ...] = ("call", "group", "chief", "state", "pass", "turn")


def _weight(found: Found) -> tuple[int, int]:
    """Of several calls that one line leads to, the plainest is reported."""
    return _PLAINEST.index(found.family), found.divergence.step.order
