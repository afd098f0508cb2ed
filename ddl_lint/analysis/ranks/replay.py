"""Replays a timeline for one process: which of its steps the process reaches, in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ddl_lint.analysis.ranks.evaluator import Bindings, Evaluator
from ddl_lint.analysis.ranks.processes import Process
from ddl_lint.analysis.ranks.timeline import Step, Timeline
from ddl_lint.analysis.values.bounded import how_many
from ddl_lint.analysis.values.conditions import Choice, atoms, clauses, solve, truth_given, truth_of
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.program.trace import Context
from ddl_lint.program.values import Alternatives, Apply, Const, Rank, Unknown, Value


@dataclass(eq=False)
class Course:
    """What one process does of a timeline, under one choice of the undecided conditions.

    `missed` tells of a step that is not reached which way out came before it. `aborted` when the process dies with an
    error: nothing can be said of a job in which that happens.
    """

    steps: list[Step] = field(default_factory=list[Step])
    missed: dict[Step, Step] = field(default_factory=dict[Step, Step])
    aborted: bool = False


class Player:
    """Replays one timeline for one process."""

    def __init__(self, timeline: Timeline, process: Process) -> None:
        self.process = process
        self._timeline = timeline
        self.evaluator = Evaluator(process, Bindings(timeline.run.run.carried))
        self._conditions: dict[Context, Value] = {
            node: self.evaluator.residual(condition) for node, condition in timeline.conditions.items()
        }
        self._empty = {node for step in timeline.steps for node in step.loops if self._never_runs(node)}

        self._decided: dict[Context, bool | None] = {
            node: truth_of(condition) for node, condition in self._conditions.items()
        }
        self.has_secrets = any(
            self._decided[node] is None and bool(tags_of(condition) & RANK_TAGS)
            for node, condition in self._conditions.items()
        )
        """Whether something depends on the rank in a way that we cannot see."""

    def residual(self, node: Context) -> Value | None:
        """What is left of the condition of a branch or `while`."""
        return self._conditions.get(node)

    def residual_of(self, value: Value) -> Value:
        """What is left of any value for this process."""
        return self.evaluator.residual(value)

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
        return (truth_given(condition, choice) if decided is None else decided) is node.arm

    def knows(self, node: Context, choice: Choice) -> bool:
        """Whether it is decided if a circumstance is given."""
        condition = self._conditions.get(node)
        return condition is None or self._decided[node] is not None or truth_given(condition, choice) is not None

    def differs(self, value: Value, other: Player) -> bool:
        """Whether another process computes another value."""
        return self.evaluator.residual(value) != other.evaluator.residual(value)

    def needs(self, step: Step) -> dict[Value, bool] | None:
        """Truths of the undecided conditions under which the process gets to a step; None when it never does."""
        chosen: dict[Value, bool] = {}
        for node in reversed(list(step.context.chain())):
            if node.kind == "branch":
                condition = self._conditions.get(node)
                if condition is not None and not solve(condition, node.arm, chosen):
                    return None
            elif not self.holds(node, _neither):
                return None
        for before in self._timeline.ways_out(step):
            if not self._avoids(before, chosen):
                return None
        return chosen

    def misses(self, step: Step, chosen: Mapping[Value, bool]) -> dict[Value, bool] | None:
        """Truths beside the chosen ones under which the process does not get to a step, though the rank alone does not
        keep it away: `if everywhere or rank == 0`."""
        for node in step.context.chain():
            condition = self._conditions.get(node)
            if condition is not None and node.kind == "branch" and self._decided[node] is None:
                asked = set(clauses(self._timeline.conditions[node]))
                attempt = dict(chosen)
                # What is left must be a condition of its own, and not one on the number or on a value of each rank.
                if len(asked) > 1 and asked.issuperset(atoms(condition)) and solve(condition, not node.arm, attempt):
                    return attempt
        return None

    def _avoids(self, way_out: Step, chosen: dict[Value, bool]) -> bool:
        """Add truths under which the process does not take a way out."""
        assert way_out.exit is not None
        for node in way_out.context.chain():
            if node is way_out.exit.leaves:
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

    def play(self, choice: Choice, sure: Choice) -> Course:
        """The steps that the process reaches; an error ends it where `sure` alone leads to that."""
        course = Course()
        given: dict[Context, bool] = {}
        certain: dict[Context, bool] = {}
        left: dict[Context, Step] = {}
        ended: Step | None = None
        for step in self._timeline.steps:
            if ended is not None or not left.keys().isdisjoint(step.scopes):
                if self._is_given(step.context, choice, given):
                    ways = (left[node] for node in step.scopes if node in left)
                    course.missed[step] = ended or min(ways, key=lambda way: way.order)
                continue
            if not self._is_given(step.context, choice, given):
                continue
            if step.exit is None:
                course.steps.append(step)
            elif step.exit.kind == "raise":
                if self._depends_on_rank(step.context) and self._is_given(step.context, sure, certain):
                    course.aborted = True
                    return course
            elif step.exit.kind == "exit":
                ended = step
            elif step.exit.leaves is not None and not self._is_harmless(step, course):
                left[step.exit.leaves] = step
                if step.ends is not None:
                    course.steps.append(step)
        return course

    def _is_given(self, context: Context, choice: Choice, known: dict[Context, bool]) -> bool:
        chain: list[Context] = []
        node: Context | None = context
        result = True
        while node is not None:
            if node in known:
                result = known[node]
                break
            chain.append(node)
            node = node.parent
        for inner in reversed(chain):
            result = result and self.holds(inner, choice)
            known[inner] = result
        return result

    def _depends_on_rank(self, context: Context) -> bool:
        return any(
            bool(tags_of(self._timeline.conditions[node]) & RANK_TAGS)
            for node in context.chain()
            if node in self._timeline.conditions
        )

    def _is_harmless(self, step: Step, course: Course) -> bool:
        """Whether a `continue` only repeats what one process does alone: no collective came before it in a `while`."""
        way = step.exit
        if way is None or way.kind != "continue" or way.leaves is None or way.leaves.value is not None:
            return False
        for node in way.context.chain():
            if node is way.leaves:
                return False  # nothing will ever be different
            if self._decided.get(node, True) is None:
                break
        return not any(way.leaves in reached.loops for reached in course.steps)

    def _never_runs(self, node: Context) -> bool:
        """Whether a `for` loop has nothing to go over in this process."""
        if node.value is None:
            return False
        iterable = self.evaluator.residual(node.value)
        return iterable is not node.value and count(iterable) == 0

    def turns(self, node: Context) -> object:
        """How often a loop runs, as far as that differs between ranks; None where nothing is known of it."""
        value = self._timeline.lengths.get(node)
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


def chooser(chosen: Mapping[Value, bool], otherwise: bool | None) -> Choice:
    """Give conditions the truths that were chosen for them, and one truth to all others."""

    def choice(condition: Value) -> bool | None:
        return chosen.get(condition, otherwise)

    return choice
