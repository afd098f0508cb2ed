"""How a process gets to each step of a timeline, or why it does not; both arms of what is undecided are followed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from ddl_lint.analysis.ranks.divergence import meaningful_size
from ddl_lint.analysis.ranks.processes import RankClass, by_signature, job
from ddl_lint.analysis.ranks.replay import Player
from ddl_lint.analysis.ranks.timeline import Step, Timeline
from ddl_lint.analysis.values.conditions import solve, truth_of
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.program.trace import Context
from ddl_lint.program.values import Value


@dataclass(frozen=True, slots=True)
class Passage:
    """The way of a process to a step.

    `under` are the undecided branches on the way, outermost first. `because` is what keeps the process away: the branch
    or loop that it does not enter, or the way out that it took before; None when it gets there. `unless` are the
    ways out before the step that it takes under conditions which are not decided. `needs` are truths of conditions that
    hold on the way.
    """

    under: tuple[Context, ...] = ()
    because: Context | Step | None = None
    unless: tuple[Step, ...] = ()
    needs: frozenset[tuple[Value, bool]] = frozenset()

    @property
    def arrives(self) -> bool:
        """Whether the process gets to the step, at least under some conditions."""
        return self.because is None


def passages(timeline: Timeline, player: Player) -> dict[Step, Passage]:
    """The passage of a process to each step of its timeline."""
    ways = _Ways(player)
    found: dict[Step, Passage] = {}
    arrived: list[Step] = []
    for step in timeline.steps:
        passage = ways.to(step)
        found[step] = passage
        if not passage.arrives:
            continue
        if step.exit is None:
            arrived.append(step)
        elif not _only_waits(step, arrived) and is_meant(step, passage):
            ways.leave(step, passage)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """A way out that was taken, and the conditions under which it is."""

    step: Step
    under: tuple[Context, ...]
    needs: frozenset[tuple[Value, bool]]

    def surely_before(self, step: Step, needs: dict[Value, bool]) -> bool:
        """Whether everybody who would get to `step` has left here."""
        if not self.under:
            return True
        chain = set(step.context.chain())
        return chain.issuperset(self.under) or (bool(self.needs) and self.needs <= needs.items())

    def excludes(self, needs: dict[Value, bool]) -> bool:
        """Whether who gets to a step with these needs has not left here."""
        return any(needs.get(condition, truth) is not truth for condition, truth in self.needs)


class _Ways:
    def __init__(self, player: Player) -> None:
        self._player = player
        self._given: dict[Context, bool | None] = {}
        self._left: dict[Context | None, list[_Way]] = defaultdict(list)

    def to(self, step: Step) -> Passage:
        under: list[Context] = []
        for node in reversed(list(step.context.chain())):
            given = self._is_given(node)
            if given is False:
                return Passage(because=node)
            if given is None:
                under.append(node)
        needs: dict[Value, bool] = {}
        for node in under:
            residual = self._player.residual(node)
            if residual is not None and not solve(residual, node.arm, needs):
                return Passage(because=node)  # it contradicts the conditions around it
        unless: list[Step] = []
        for scope in (None, *step.scopes):
            for way in self._left.get(scope, ()):
                if way.surely_before(step, needs):
                    return Passage(because=way.step)
                if not way.excludes(needs):
                    unless.append(way.step)
        return Passage(tuple(under), None, tuple(unless), frozenset(needs.items()))

    def leave(self, step: Step, passage: Passage) -> None:
        assert step.exit is not None
        leaves = step.exit.leaves
        within = set(step.context.chain()) - (set(leaves.chain()) if leaves is not None else set())
        under = tuple(node for node in passage.under if node in within)
        self._left[leaves].append(_Way(step, under, passage.needs))

    def _is_given(self, node: Context) -> bool | None:
        """Whether a circumstance holds apart from those around it; None where that is not decided."""
        if node not in self._given:
            self._given[node] = self._decide(node)
        return self._given[node]

    def _decide(self, node: Context) -> bool | None:
        if node.kind == "branch":
            residual = self._player.residual(node)
            if residual is None:
                return True
            known = truth_of(residual)
            return None if known is None else known is node.arm
        return self._player.holds(node, _undecided)


def _undecided(condition: Value) -> bool | None:
    del condition
    return None


def _only_waits(step: Step, arrived: Iterable[Step]) -> bool:
    """Whether a `continue` only repeats what the process does alone: it made no call in its `while` loop yet."""
    way = step.exit
    if way is None or way.kind != "continue" or way.leaves is None or way.leaves.value is not None:
        return False
    return not any(way.leaves in before.loops for before in arrived)


def is_meant(step: Step, passage: Passage) -> bool:
    """Whether a step belongs to what is meant to happen: an error only if some ranks, not all, run into it for sure."""
    if step.exit is None or step.exit.kind != "raise":
        return True
    return not passage.under and any(
        node.kind == "branch" and node.value is not None and bool(tags_of(node.value) & RANK_TAGS)
        for node in step.context.chain()
    )


# --- classes of ranks ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A class of ranks, with the process that stands for it and its passages."""

    ranks: RankClass
    player: Player
    passages: dict[Step, Passage]


_MOST_COLUMNS = 6
_PLACES = frozenset({"local_rank", "node_rank"})


def job_for(timeline: Timeline) -> tuple[int, int]:
    """The smallest job in which all classes of ranks occur: so many nodes, so many processes on each."""
    ranked = timeline.ranked()
    if not ranked:
        return 1, 2
    nodes = 2 if any(tags_of(value) & _PLACES for value in ranked) else 1
    return nodes, meaningful_size(ranked, timeline)


def columns(
    timeline: Timeline, steps: Container[Step], nodes: int, per_node: int, parting: Sequence[Context] = ()
) -> list[Column]:
    """The classes of processes of a job that differ in how they get to these steps; the first six, rank 0 among them.

    Processes for which something different is left of one of the conditions `parting` differ too.
    """
    if not timeline.ranked():
        everybody = job(nodes, per_node)
        (ranks,) = by_signature(everybody, dict.fromkeys(everybody))
        return [_column(timeline, ranks)]
    alone = {process: _column(timeline, RankClass((process,), "")) for process in job(nodes, per_node)}
    signatures = {process: _signature(column, steps, parting) for process, column in alone.items()}
    larger = {
        process: _signature(_column(timeline, RankClass((process,), "")), steps, parting)
        for process in job(nodes, per_node + _MORE)
    }
    classes = by_signature(alone, signatures, {**signatures, **larger}, larger)[:_MOST_COLUMNS]
    return [Column(ranks, alone[ranks.first].player, alone[ranks.first].passages) for ranks in classes]


_MORE = 4
"""How many more processes there are on a node of the job by which classes are named."""


def _signature(column: Column, steps: Container[Step], parting: Sequence[Context]) -> tuple[object, ...]:
    return (
        *(
            (id(step), way.under, *(column.player.turns(node) for node in step.loops))
            if way.arrives and is_meant(step, way)
            else None
            for step, way in column.passages.items()
            if step in steps
        ),
        *(left_of(node, column.player) for node in parting),
    )


def left_of(node: Context, player: Player) -> object:
    """What is left of a condition for a process: its truth, or what it depends on; None where that cannot be seen."""
    residual = player.residual(node)
    if residual is None:
        return None
    known = truth_of(residual)
    if known is not None:
        return known
    return None if tags_of(residual) & RANK_TAGS else residual


def _column(timeline: Timeline, ranks: RankClass) -> Column:
    player = Player(timeline, ranks.first)
    return Column(ranks, player, passages(timeline, player))
