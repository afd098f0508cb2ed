"""How a process gets to each step of a timeline, or why it does not; both arms of what is undecided are followed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from ddl_lint.analysis.ranks.divergence import meaningful_size, naming_job, stated_size
from ddl_lint.analysis.ranks.processes import RankClass, by_signature
from ddl_lint.analysis.ranks.simulation import Simulation
from ddl_lint.analysis.ranks.timeline import Stretch, Timeline, TimelineStep
from ddl_lint.analysis.values.conditions import solve, truth_of
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.program.tags import LOCAL_RANK, NODE_RANK
from ddl_lint.program.trace import Context
from ddl_lint.program.values import Value


@dataclass(frozen=True, slots=True)
class Passage:
    """The way of a process to a step.

    `under` are the undecided branches on the way, outermost first. `because` is what keeps the process away: the branch
    or loop that it does not enter, or the early exit that it took before; None when it gets there. `unless` are the
    early exits before the step that it takes under conditions which are not decided. `needs` are truths of conditions
    that hold on the way.
    """

    under: tuple[Context, ...] = ()
    because: Context | TimelineStep | None = None
    unless: tuple[TimelineStep, ...] = ()
    needs: frozenset[tuple[Value, bool]] = frozenset()

    @property
    def arrives(self) -> bool:
        """Whether the process gets to the step, at least under some conditions."""
        return self.because is None


def passages(simulation: Simulation) -> dict[TimelineStep, Passage]:
    """The passage of a process to each step of its timeline."""
    walker = _Walker(simulation)
    simulation.walk(walker)
    return walker.found


@dataclass(frozen=True, slots=True, eq=False)
class _Taken:
    """An early exit that was taken, and the conditions under which it is."""

    step: TimelineStep
    under: tuple[Context, ...]
    needs: frozenset[tuple[Value, bool]]

    def surely_before(self, step: TimelineStep, needs: dict[Value, bool]) -> bool:
        """Whether everybody who would get to `step` has left here."""
        if not self.under:
            return True
        chain = set(step.context.chain())
        return chain.issuperset(self.under) or (bool(self.needs) and self.needs <= needs.items())

    def excludes(self, needs: dict[Value, bool]) -> bool:
        """Whether who gets to a step with these needs has not left here."""
        return any(needs.get(condition, truth) is not truth for condition, truth in self.needs)


class _Walker:
    """Goes through everything, on both arms of what is undecided, and notes under which conditions it has left."""

    def __init__(self, simulation: Simulation) -> None:
        self.found: dict[TimelineStep, Passage] = {}
        self._simulation = simulation
        self._arrived: list[TimelineStep] = []
        self._given: dict[Context, bool | None] = {}
        self._left: dict[Context | None, list[_Taken]] = defaultdict(list)

    def iterations(self, stretch: Stretch) -> Iterable[object]:
        """Also what the process does not enter has its passage: how it is kept away."""
        del stretch
        return (None,)

    def reach(self, step: TimelineStep) -> None:
        """Note the passage to a call."""
        passage = self.found[step] = self._to(step)
        if passage.arrives:
            self._arrived.append(step)

    def leave(self, step: TimelineStep) -> bool:
        """Note the passage to an early exit; what comes later learns what it keeps away."""
        passage = self.found[step] = self._to(step)
        if passage.arrives and not _only_waits(step, self._arrived) and is_meant(step, passage):
            self._leave(step, passage)
        return False

    def miss(self, part: TimelineStep | Stretch, early_exit: TimelineStep) -> None:
        """Nothing is passed over."""

    def _to(self, step: TimelineStep) -> Passage:
        under: list[Context] = []
        for node in reversed(list(step.context.chain())):
            given = self._is_given(node)
            if given is False:
                return Passage(because=node)
            if given is None:
                under.append(node)
        needs: dict[Value, bool] = {}
        for node in under:
            residual = self._simulation.residual(node)
            if residual is not None and not solve(residual, node.arm, needs):
                return Passage(because=node)  # it contradicts the conditions around it
        unless: list[TimelineStep] = []
        for scope in (None, *step.scopes):
            for taken in self._left.get(scope, ()):
                if taken.surely_before(step, needs):
                    return Passage(because=taken.step)
                if not taken.excludes(needs):
                    unless.append(taken.step)
        return Passage(tuple(under), None, tuple(unless), frozenset(needs.items()))

    def _leave(self, step: TimelineStep, passage: Passage) -> None:
        assert step.exit is not None
        leaves = step.exit.leaves
        within = set(step.context.chain()) - (set(leaves.chain()) if leaves is not None else set())
        under = tuple(node for node in passage.under if node in within)
        self._left[leaves].append(_Taken(step, under, passage.needs))

    def _is_given(self, node: Context) -> bool | None:
        """Whether a circumstance holds apart from those around it; None where that is not decided."""
        if node not in self._given:
            self._given[node] = self._decide(node)
        return self._given[node]

    def _decide(self, node: Context) -> bool | None:
        if node.kind == "branch":
            residual = self._simulation.residual(node)
            if residual is None:
                return True
            known = truth_of(residual)
            return None if known is None else known is node.arm
        return self._simulation.holds(node, _undecided)


def _undecided(condition: Value) -> bool | None:
    del condition
    return None


def _only_waits(step: TimelineStep, arrived: Iterable[TimelineStep]) -> bool:
    """Whether a `continue` only repeats what the process does alone: it made no call in its `while` loop yet."""
    leaving = step.exit
    if leaving is None or leaving.kind != "continue" or leaving.leaves is None or leaving.leaves.value is not None:
        return False
    return not any(leaving.leaves in before.loops for before in arrived)


def is_meant(step: TimelineStep, passage: Passage) -> bool:
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
    """A class of ranks, with the process that represents it and its passages."""

    ranks: RankClass
    simulation: Simulation
    passages: dict[TimelineStep, Passage]


_MOST_COLUMNS = 6
_PLACES = frozenset({LOCAL_RANK, NODE_RANK})


def job_for(timeline: Timeline) -> tuple[int, int]:
    """The smallest job in which all classes of ranks occur: so many nodes, so many processes on each."""
    ranked = timeline.ranked()
    if timeline.division is not None:
        return 1, timeline.division.processes
    if not ranked:
        return 1, 2
    stated, size = stated_size(timeline), meaningful_size(ranked, timeline)
    nodes = 2 if any(tags_of(value) & _PLACES for value in ranked) and (stated is None or 2 * size <= stated) else 1
    return nodes, size if stated is None else min(size, stated)


def columns(
    timeline: Timeline, steps: Container[TimelineStep], nodes: int, per_node: int, diverging: Sequence[Context] = ()
) -> list[Column]:
    """The classes of processes of a job that differ in how they get to these steps; the first six, rank 0 among them.

    Processes for which something different is left of one of the conditions `diverging` differ too.
    """
    if not timeline.ranked():
        everybody = timeline.job(nodes, per_node)
        (ranks,) = by_signature(everybody, dict.fromkeys(everybody))
        return [_column(timeline, ranks)]
    alone = {process: _column(timeline, RankClass((process,), "")) for process in timeline.job(nodes, per_node)}
    signatures = {process: _signature(column, steps, diverging) for process, column in alone.items()}
    larger = {
        process: _signature(_column(timeline, RankClass((process,), "")), steps, diverging)
        for process in naming_job(timeline, nodes, per_node)
    }
    classes = by_signature(alone, signatures, {**signatures, **larger}, larger)[:_MOST_COLUMNS]
    return [Column(ranks, alone[ranks.first].simulation, alone[ranks.first].passages) for ranks in classes]


def _signature(column: Column, steps: Container[TimelineStep], diverging: Sequence[Context]) -> tuple[object, ...]:
    return (
        *(
            (id(step), passage.under, *(column.simulation.iterations(node) for node in step.loops))
            if passage.arrives and is_meant(step, passage)
            else None
            for step, passage in column.passages.items()
            if step in steps
        ),
        *(left_of(node, column.simulation) for node in diverging),
    )


def left_of(node: Context, simulation: Simulation) -> object:
    """What is left of a condition for a process: its truth, or what it depends on; None where that cannot be seen."""
    residual = simulation.residual(node)
    if residual is None:
        return None
    known = truth_of(residual)
    if known is not None:
        return known
    return None if tags_of(residual) & RANK_TAGS else residual


def _column(timeline: Timeline, ranks: RankClass) -> Column:
    simulation = Simulation(timeline, ranks.first)
    return Column(ranks, simulation, passages(simulation))
