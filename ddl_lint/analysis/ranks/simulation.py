"""Takes one process of a job through a timeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from ddl_lint.analysis.ranks.chosen import Chosen
from ddl_lint.analysis.ranks.evaluator import Bindings, Evaluator
from ddl_lint.analysis.ranks.processes import Process
from ddl_lint.analysis.ranks.timeline import Stretch, Timeline, TimelineStep
from ddl_lint.analysis.values.bounded import how_many
from ddl_lint.analysis.values.conditions import Choice, atoms, clauses, solve, truth_given, truth_of
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.program.trace import Context
from ddl_lint.program.values import Alternatives, Apply, Const, Rank, Unknown, Value


class Visitor(Protocol):
    """Whoever goes through a timeline with a process: decides at each fork, and notes what is come to."""

    def iterations(self, stretch: Stretch) -> Iterable[object]:
        """One element for each time that the process goes through a stretch; none where it does not enter it."""
        ...

    def reach(self, step: TimelineStep) -> None:
        """Come to a call."""
        ...

    def leave(self, step: TimelineStep) -> bool:
        """Come to an early exit; whether it is taken."""
        ...

    def miss(self, part: TimelineStep | Stretch, early_exit: TimelineStep) -> None:
        """Pass over a step or stretch, because an early exit was taken before it."""
        ...


class Simulation:
    """A timeline as one process goes through it."""

    def __init__(self, timeline: Timeline, process: Process) -> None:
        self.process = process
        self.timeline = timeline
        self.evaluator = Evaluator(process, Bindings(timeline.run.run.carried))
        told = timeline.conditions.items()
        self._conditions = {node: self.evaluator.residual(condition) for node, condition in told}
        self._decided = {node: truth_of(condition) for node, condition in self._conditions.items()}
        self._empty = {node for step in timeline.steps for node in step.loops if self._never_runs(node)}
        self.has_secrets = any(
            self._decided[node] is None and bool(tags_of(condition) & RANK_TAGS)
            for node, condition in self._conditions.items()
        )
        """Whether something depends on the rank in a way that we cannot see."""

        self._atoms: dict[Context, tuple[Value, ...]] = {}
        self._given: dict[tuple[object, ...], bool | None] = {}

    # --- the walk ---

    def walk(self, visitor: Visitor) -> None:
        """Go through the timeline in order, as the visitor decides."""
        self._through(self.timeline.whole, visitor)

    def _through(self, stretch: Stretch, visitor: Visitor) -> TimelineStep | None:
        """Returns the early exit by which the stretch was left."""
        taken: TimelineStep | None = None
        for part in stretch.parts:
            if taken is not None:
                visitor.miss(part, taken)
            elif isinstance(part, Stretch):
                taken = self._around(part, visitor)
            elif part.exit is None:
                visitor.reach(part)
            elif visitor.leave(part):
                taken = part
        return taken

    def _around(self, stretch: Stretch, visitor: Visitor) -> TimelineStep | None:
        for _ in visitor.iterations(stretch):
            taken = self._through(stretch, visitor)
            if taken is None or taken.exit is None:
                continue
            if taken.exit.leaves is not stretch.node:
                return taken
            if taken.exit.kind != "continue":
                break
        return None

    # --- what the process knows ---

    def residual(self, node: Context) -> Value | None:
        """What is left of the condition of a branch or `while`."""
        return self._conditions.get(node)

    def holds(self, node: Context, choice: Choice) -> bool:
        """Whether one circumstance, apart from those around it, is given."""
        if node.kind == "handler":
            return False  # we look at the run in which nothing fails
        if node in self._empty:
            return False
        condition = self._conditions.get(node)
        if condition is None:
            return True
        decided = self._decided[node]
        if node.kind == "loop":
            return decided is not False
        return (self._truth_given(node, condition, choice) if decided is None else decided) is node.arm

    def _truth_given(self, node: Context, condition: Value, choice: Choice) -> bool | None:
        """The truth of the condition of a circumstance. Most of what is chosen has nothing to do with it, so that it is
        the same in most choices.
        """
        if not isinstance(choice, Chosen):
            return truth_given(condition, choice)
        asked = self._atoms.get(node)
        if asked is None:
            asked = self._atoms[node] = tuple(dict.fromkeys(atoms(condition)))
        key = (node, choice.otherwise, *map(choice.truths.get, asked))
        if key not in self._given:
            self._given[key] = truth_given(condition, choice)
        return self._given[key]

    def knows(self, node: Context, choice: Choice) -> bool:
        """Whether it is decided if a circumstance is given."""
        condition = self._conditions.get(node)
        return (
            condition is None
            or self._decided[node] is not None
            or self._truth_given(node, condition, choice) is not None
        )

    def may_reach(self, step: TimelineStep) -> bool:
        """Whether nothing that is known keeps the process from a step, early exits aside."""
        return all(self._decided.get(node) is None or self.holds(node, _neither) for node in step.context.chain())

    def is_up_to_iterations(self, step: TimelineStep) -> bool:
        """Whether each iteration of the loops around a step asks for something unknown, if it is to be made."""
        return any(self._varies(node, step) for node in step.context.chain())

    def _varies(self, node: Context, step: TimelineStep) -> bool:
        condition = self._conditions.get(node)
        return (
            condition is not None
            and node.kind == "branch"
            and self._decided[node] is None
            and not tags_of(condition) & RANK_TAGS
            and any(map(node.is_within, step.loops))
            and any(
                isinstance(part, Unknown) or (isinstance(part, Apply) and part.operator == "element")
                for part in parts(condition)
            )
        )

    def differs(self, value: Value, other: Simulation) -> bool:
        """Whether another process computes another value."""
        return self.evaluator.residual(value) != other.evaluator.residual(value)

    def needs(self, step: TimelineStep, given: Mapping[Value, bool] | None = None) -> dict[Value, bool] | None:
        """Truths of the undecided conditions under which the process gets to a step, beside those that are given; None
        when it never does.
        """
        chosen: dict[Value, bool] = dict(given or {})
        for node in reversed(list(step.context.chain())):
            if node.kind == "branch":
                condition = self._conditions.get(node)
                if condition is not None and not solve(condition, node.arm, chosen):
                    return None
            elif not self.holds(node, _neither):
                return None
        for before in self.timeline.early_exits(step):
            if not self._avoids(before, chosen):
                return None
        return chosen

    def misses(self, step: TimelineStep, chosen: Mapping[Value, bool]) -> dict[Value, bool] | None:
        """Truths beside the chosen ones under which the process does not get to a step, though the rank alone does not
        keep it away: `if everywhere or rank == 0`."""
        for node in step.context.chain():
            condition = self._conditions.get(node)
            if condition is not None and node.kind == "branch" and self._decided[node] is None:
                asked = set(clauses(self.timeline.conditions[node]))
                attempt = dict(chosen)
                # What is left must be a condition of its own, and not one on the number or on a value of each rank.
                if len(asked) > 1 and asked.issuperset(atoms(condition)) and solve(condition, not node.arm, attempt):
                    return attempt
        return None

    def _avoids(self, early_exit: TimelineStep, chosen: dict[Value, bool]) -> bool:
        """Add truths under which the process does not take an early exit."""
        assert early_exit.exit is not None
        for node in early_exit.context.chain():
            if node is early_exit.exit.leaves:
                break
            if node.kind == "handler" or node in self._empty:
                return True
            condition = self._conditions.get(node)
            if condition is None or node.kind != "branch":
                continue
            attempt = dict(chosen)
            if solve(condition, not node.arm, attempt):
                chosen.update(attempt)
                return True
        return False

    def depends_on_rank(self, context: Context) -> bool:
        """Whether the rank has to do with how a process comes there."""
        return any(
            bool(tags_of(self.timeline.conditions[node]) & RANK_TAGS)
            for node in context.chain()
            if node in self.timeline.conditions
        )

    def only_waits(self, step: TimelineStep, reached: Iterable[TimelineStep]) -> bool:
        """Whether a `continue` only repeats what one process does alone: no collective came before it in a `while`."""
        leaving = step.exit
        if leaving is None or leaving.kind != "continue" or leaving.leaves is None or leaving.leaves.value is not None:
            return False
        for node in leaving.context.chain():
            if node is leaving.leaves:
                return False  # nothing will ever be different
            if self._decided.get(node, True) is None:
                break
        return not any(leaving.leaves in before.loops for before in reached)

    def _never_runs(self, node: Context) -> bool:
        """Whether a `for` loop has nothing to go over in this process."""
        if node.value is None:
            return False
        iterable = self.evaluator.residual(node.value)
        return iterable is not node.value and count(iterable) == 0

    def iterations(self, node: Context) -> object:
        """How often a loop runs, as far as that differs between ranks; None where nothing is known of it."""
        value = self.timeline.lengths.get(node)
        if value is None:
            return None
        residual = self.evaluator.residual(value)
        known = count(residual)
        if known is not None:
            return known
        # A number that only some ranks have set; a share of the data is none.
        return residual if isinstance(residual, Apply) and self._is_open(value) else None

    def _is_open(self, value: Value) -> bool:
        """Whether all that depends on the rank in a value is which of its alternatives holds, and that is seen."""
        for part in parts(value):
            if isinstance(part, (Rank, Unknown)) and tags_of(part) & RANK_TAGS:
                return False
            if isinstance(part, Alternatives):
                labels = (label for each, _ in part.options for label, _ in each)
                if any(tags_of(self.evaluator.residual(label)) & RANK_TAGS for label in labels):
                    return False
        return True


def count(iterable: Value) -> int | None:
    """The number of elements of what a loop goes over, if it is written down."""
    if isinstance(iterable, Apply) and iterable.operator == "range" and len(iterable.operands) < 3:
        numbers = [part.value for part in iterable.operands if isinstance(part, Const) and isinstance(part.value, int)]
        return how_many(*numbers) if len(numbers) == len(iterable.operands) else None
    if isinstance(iterable, Apply) and iterable.operator in ("enumerate", "reversed", "tqdm"):
        return count(iterable.operands[0])
    return 0 if truth_of(iterable) is False else None


def _neither(condition: Value) -> bool | None:
    """Follow no arm of an undecided condition."""
    del condition
    return None
