"""Which ranks come to a line, and why the others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ddl_lint.analysis.ranks.excerpts import head
from ddl_lint.analysis.ranks.processes import RankClass
from ddl_lint.analysis.ranks.reachability import Column, Passage, columns, job_for
from ddl_lint.analysis.ranks.timeline import Timeline, TimelineStep, timeline_of
from ddl_lint.analysis.view import RunView
from ddl_lint.program.trace import Context, Event, ExitKind
from ddl_lint.source.span import Location


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as it is written, and the truth of it that is meant."""

    text: str
    location: Location
    holds: bool = True


@dataclass(frozen=True, slots=True)
class EarlyExit:
    """A `return`, `break`, `continue`, `raise` or end of the program, and the conditions under which it is taken."""

    kind: ExitKind
    location: Location
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Visit:
    """What one class of ranks does about a line.

    It comes there if `because` is None: always, or only under the conditions `only_if`, and unless it left by one of
    the early exits `unless` before. Otherwise `because` is the condition with the truth that keeps it away, or how it
    left.
    """

    ranks: RankClass
    only_if: tuple[Condition, ...] = ()
    unless: tuple[EarlyExit, ...] = ()
    because: Condition | EarlyExit | None = None

    @property
    def arrives(self) -> bool:
        """Whether the class comes to the line, at least under some conditions."""
        return self.because is None


@dataclass(frozen=True, slots=True)
class Reach:
    """Who comes to a line in one run; `alone` when its function was followed by itself, with unknown arguments."""

    path: str
    alone: bool
    visits: tuple[Visit, ...]


def reach(run: RunView) -> Reach | None:
    """Who comes to the statements that the run was followed for; None when the run does not come there."""
    steps = [TimelineStep(event.context, event.order, event) for event in run.events("reach")]
    if not steps:
        return None
    made = timeline_of(run, list(steps))
    teller = _Teller(run, made)
    visits = (teller.visit(column, steps) for column in columns(made, set(steps), *job_for(made)))
    return Reach(run.run.path, not run.is_script, tuple(visits))


def arrivals(run: RunView) -> dict[Event, tuple[str, ...]]:
    """The classes of ranks that come to each event of a run, at least under some conditions, by their titles; `all
    ranks` where all do.
    """
    steps = [TimelineStep(event.context, event.order, event) for event in run.run.events]
    made = timeline_of(run, list(steps))
    found = columns(made, set(steps), *job_for(made))
    titles: dict[Event, tuple[str, ...]] = {}
    for event, step in zip(run.run.events, steps, strict=True):
        arriving = tuple(column.ranks.title for column in found if column.passages[step].arrives)
        titles[event] = arriving if len(arriving) < len(found) else ("all ranks",)
    return titles


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells, for people, who gets to a line."""

    project: RunView
    made: Timeline

    def visit(self, column: Column, steps: Sequence[TimelineStep]) -> Visit:
        """The easiest of the ways to a line that is reached in several; else what bars the first."""
        passages = [column.passages[step] for step in steps]
        arriving = [passage for passage in passages if passage.arrives]
        if arriving:
            best = min(arriving, key=lambda passage: (len(passage.under), len(passage.unless)))
            unless = (step for step in best.unless if not _comes_before(step, arriving, column))
            conditions = map(self._condition, best.under)
            return Visit(column.ranks, tuple(conditions), tuple(map(self._early_exit, unless)))
        return Visit(column.ranks, because=self._reason(passages[0]))

    def _reason(self, passage: Passage) -> Condition | EarlyExit:
        if isinstance(passage.because, TimelineStep):
            return self._early_exit(passage.because)
        assert passage.because is not None
        return self._condition(passage.because)

    def _condition(self, node: Context) -> Condition:
        return Condition(head(node.location, self.project.documents), node.location, node.arm)

    def _early_exit(self, step: TimelineStep) -> EarlyExit:
        assert step.exit is not None
        conditions: list[Condition] = []
        for node in step.context.chain():
            if node is step.exit.leaves:
                break
            if node.kind == "branch" and node in self.made.conditions:
                conditions.append(self._condition(node))
        return EarlyExit(step.exit.kind, step.location, tuple(reversed(conditions)))


def _comes_before(early_exit: TimelineStep, arriving: Sequence[Passage], column: Column) -> bool:
    """Whether the line was come to in another way whenever this early exit is taken."""
    under = set(column.passages[early_exit].under)
    return any(under.issuperset(passage.under) and not passage.unless for passage in arriving)
