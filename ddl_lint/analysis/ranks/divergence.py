"""Finds the calls at which the ranks of a job do not meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.analysis.queries.launch_values import started_processes
from ddl_lint.analysis.queries.library_use import entered
from ddl_lint.analysis.ranks.chosen import Chosen
from ddl_lint.analysis.ranks.evaluator import Bindings, Evaluator
from ddl_lint.analysis.ranks.execution import Execution, execute
from ddl_lint.analysis.ranks.mismatch import Gap, gaps
from ddl_lint.analysis.ranks.processes import Process, RankClass, by_signature, job
from ddl_lint.analysis.ranks.simulation import Simulation
from ddl_lint.analysis.ranks.timeline import Timeline, TimelineStep
from ddl_lint.analysis.values.conditions import Choice, truth_of
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.program.dimensions import ranked_dimension
from ddl_lint.program.tags import LOCAL_RANK, NODE_RANK
from ddl_lint.program.trace import Context
from ddl_lint.program.values import UNKNOWN, Alternatives, Apply, Const, Flag, Rank, Unknown, Value
from ddl_lint.source.span import Location

Kind: TypeAlias = Literal["guard", "exit", "order", "value"]


@dataclass(frozen=True, eq=False)
class Divergence:
    """Ranks of one class make a call that those of another do not.

    kind `guard`: a condition on the rank lets only some of them through; `exit`: some left before; `value`: a value
    that only some of them set decides; `order`: the others make another call at this point (`instead`).
    """

    kind: Kind
    step: TimelineStep
    reaching: RankClass
    lacking: RankClass
    guard: Context | None
    """The condition that separates the ranks."""

    early_exit: TimelineStep | None
    """Where those that lack the call have left."""

    instead: TimelineStep | None
    """The next call of those that lack this one, after the point where they should have made it."""

    next_iteration: TimelineStep | None
    """The call in which those wait that stay in a loop which others have left."""

    place: Location
    """The call as it is seen from the guard: where a helper that makes it is called."""

    is_two_sided: bool = False
    """Whether there are no other ranks than those two classes."""


_LARGEST_JOB = 9
_MOST_CLASSES = 6
_MOST_CHOICES = 80


def divergences(timeline: Timeline) -> list[Divergence]:
    """All divergences of a run, one for each fault."""
    ranked = timeline.ranked()
    if not ranked or not timeline.steps:
        return []
    stated = stated_size(timeline)
    size = meaningful_size(ranked, timeline)
    size = size if stated is None else min(size, stated)
    found = list(in_job(timeline, timeline.job(1, size)))
    known = {fault(each) for each in found}
    for each in in_job(timeline, timeline.job(2, size)) if stated is None or 2 * size <= stated else ():
        if fault(each) not in known and _needs_nodes(each):
            found.append(each)
    return list({fault(each): each for each in reversed(found)}.values())[::-1]


def stated_size(timeline: Timeline) -> int | None:
    """How many processes each job has, where the program or all its launches say so: there is no rank beyond them."""
    if timeline.division is not None:
        return None
    groups = [event.operands.get("world_size") for event in timeline.run.groups()]
    sizes = {each.value if isinstance(each, Const) else None for each in groups}
    size = sizes.pop() if len(sizes) == 1 else None
    size = started_processes(timeline.run) if size is None else size
    return size if isinstance(size, int) and size > 1 else None


def fault(divergence: Divergence) -> tuple[object, ...]:
    """What makes two divergences the same fault: the early exit, or the guard and what kind of call is under it."""
    if divergence.kind == "exit" and divergence.early_exit is not None:
        return ("exit", divergence.early_exit.context.location, divergence.early_exit.location)
    event = divergence.step.event
    kind = event.kind if event is not None else "end of loop"
    guard = divergence.guard
    if divergence.kind == "order":
        return ("order", guard.location if guard is not None else divergence.place)
    return (divergence.kind, kind, guard.location if guard is not None else divergence.place)


def _needs_nodes(divergence: Divergence) -> bool:
    """Whether a divergence that only several nodes show is about the place of a process on its node."""
    guard = divergence.guard
    return guard is not None and guard.value is not None and bool(tags_of(guard.value) & {LOCAL_RANK, NODE_RANK})


def meaningful_size(ranked: Sequence[Value], timeline: Timeline) -> int:
    """The smallest job of one node in which each condition on the rank can turn out both ways."""
    if timeline.division is not None:
        return timeline.division.processes
    open_conditions = list(ranked)
    size = 2
    bindings = Bindings(timeline.run.run.carried)
    for candidate in range(2, _LARGEST_JOB + 1):
        processes = [Evaluator(process, bindings) for process in job(1, candidate)]
        still = [condition for condition in open_conditions if _is_settled(condition, processes)]
        if len(still) < len(open_conditions):
            size = candidate
        open_conditions = still
        if not open_conditions:
            break
    return size


def _is_settled(condition: Value, processes: Iterable[Evaluator]) -> bool:
    truths = {truth_of(evaluator.residual(condition)) for evaluator in processes}
    return len(truths) == 1 and None not in truths


def rank_classes(timeline: Timeline, processes: Sequence[Process]) -> tuple[RankClass, ...]:
    """The classes of processes that the conditions of a timeline tell apart, by the names that a larger job gives."""
    larger = naming_job(timeline, processes[-1].node + 1, processes[0].local_world_size)
    truths = {**_truths(timeline, processes), **_truths(timeline, larger)}
    return by_signature(processes, _signatures(timeline, processes), truths, larger)


def naming_job(timeline: Timeline, nodes: int, per_node: int) -> tuple[Process, ...]:
    """The larger job by which the classes of ranks of a job are named; none where it is known that there is no larger
    one.
    """
    return () if nodes * per_node == stated_size(timeline) else timeline.larger(nodes, per_node)


def classes_alike(timeline: Timeline, processes: Sequence[Process]) -> tuple[RankClass, ...]:
    """The same classes where their names, which are most of the work, are not needed."""
    return by_signature(processes, _signatures(timeline, processes))


def _signatures(timeline: Timeline, processes: Sequence[Process]) -> dict[Process, object]:
    """What the conditions on the rank turn out to be in each process."""
    ranked = timeline.ranked()
    found: dict[Process, object] = {}
    for process in processes:
        evaluator = Evaluator(process, Bindings(timeline.run.run.carried))
        found[process] = tuple(_trait(evaluator.residual(condition)) for condition in ranked)
    return found


def _truths(timeline: Timeline, processes: Sequence[Process]) -> dict[Process, object]:
    """As far as they are decided."""
    ranked = timeline.ranked()
    found: dict[Process, object] = {}
    for process in processes:
        evaluator = Evaluator(process, Bindings(timeline.run.run.carried))
        found[process] = tuple(truth_of(evaluator.residual(condition)) for condition in ranked)
    return found


def _trait(residual: Value) -> object:
    known = truth_of(residual)
    if known is not None:
        return known
    return None if tags_of(residual) & RANK_TAGS else residual


def in_job(timeline: Timeline, processes: Sequence[Process]) -> Iterator[Divergence]:
    """The divergences that some processes show, one for each fault."""
    alike = classes_alike(timeline, processes)[:_MOST_CLASSES]
    if len(alike) < 2:
        return
    simulations = [Simulation(timeline, each.first) for each in alike]
    classes: tuple[RankClass, ...] = ()
    seen: set[tuple[object, ...]] = set()
    for chosen in _choices(timeline, simulations):
        executions = _Executions(simulations, chosen)
        for index in range(1, len(simulations)):
            for gap in _gaps_in_all(executions, index):
                classes = classes or rank_classes(timeline, processes)
                found = _explain(gap, executions, classes, index)
                if found is not None and fault(found) not in seen:
                    seen.add(fault(found))
                    yield found


def _choices(timeline: Timeline, simulations: Sequence[Simulation]) -> list[dict[Value, bool]]:
    """The truths of undecided conditions that lead some process to a step at which ranks may diverge."""
    diverging = _diverging(timeline, simulations)
    if not diverging:
        return []
    after = [step for step in timeline.steps if not diverging.isdisjoint(step.context.chain())]
    left = {step.exit.leaves for step in after if step.exit is not None and step.exit.kind != "raise"}
    choices: dict[frozenset[tuple[Value, bool]], dict[Value, bool]] = {}
    own = set(after)
    behind = [step for step in timeline.steps if step not in own and (None in left or not left.isdisjoint(step.scopes))]
    for step in (*after, *behind):
        if len(choices) < _MOST_CHOICES and not step.opaque:
            for simulation in simulations:
                needs = simulation.needs(step)
                if needs is None:
                    continue
                choices.setdefault(frozenset(needs.items()), needs)
                for other in simulations:
                    missing = other.misses(step, needs) if other is not simulation and step in own else None
                    if missing is not None:
                        choices.setdefault(frozenset(missing.items()), missing)
    return list(choices.values())[:_MOST_CHOICES]


def _diverging(timeline: Timeline, simulations: Sequence[Simulation]) -> set[Context]:
    """The circumstances that are not the same for all processes."""
    first, *others = simulations
    diverging = {
        node
        for node in timeline.conditions
        if any(simulation.residual(node) != first.residual(node) for simulation in others)
    }
    return diverging | {
        node
        for node in timeline.lengths
        if any(simulation.iterations(node) != first.iterations(node) for simulation in others)
    }


class _Executions:
    """The executions of all simulations under one choice of truths, one for each way in which all else may go."""

    def __init__(self, simulations: Sequence[Simulation], chosen: Mapping[Value, bool]) -> None:
        self.simulations = simulations
        self.choice = Chosen(chosen)
        ways = [[self.choice] * len(simulations)]
        ways += [[Chosen(chosen, otherwise)] * len(simulations) for otherwise in (True, False)]
        if any(simulation.has_secrets for simulation in simulations):
            # What depends on the rank in a way that we cannot see may divide the first class from the others.
            ways += [
                [Chosen(chosen, first is (index == 0), by_rank=True) for index in range(len(simulations))]
                for first in (True, False)
            ]
        self._ways = ways
        self._executions: dict[tuple[int, int], Execution] = {}

    def pairs(self, index: int) -> Iterator[tuple[Execution, Execution]]:
        """The executions of the first simulation and of another one, way by way."""
        for way in range(len(self._ways)):
            yield self.execution(way, 0), self.execution(way, index)

    def execution(self, way: int, index: int) -> Execution:
        """The execution of a simulation; way 0 follows neither arm of what was not chosen."""
        known = self._executions.get((way, index))
        if known is None:
            known = execute(self.simulations[index], self._ways[way][index], self.choice)
            self._executions[way, index] = known
        return known


def _gaps_in_all(executions: _Executions, index: int) -> list[Gap]:
    """What two processes do not share, however the conditions turn out on which it does not depend."""
    unmatched: dict[TimelineStep, Gap] | None = None
    for first, second in executions.pairs(index):
        if first.aborted or second.aborted:
            return []
        found = {gap.step: gap for gap in gaps(executions.simulations[0], first, executions.simulations[index], second)}
        alike = {(step.operation, gap.by_first) for step, gap in found.items()}  # which of several is a matter of taste
        kept = unmatched if unmatched is not None else found
        unmatched = {
            step: gap
            for step, gap in kept.items()
            if (step.operation, gap.by_first) in alike
            # Where the rank has left before, this way says nothing of the step.
            or step in (first if gap.by_first else second).missed
        }
        if not unmatched:
            return []
    return list((unmatched or {}).values())


def _explain(gap: Gap, executions: _Executions, classes: Sequence[RankClass], index: int) -> Divergence | None:
    """Why the one process does not get to a step of the other."""
    one, other = (0, index) if gap.by_first else (index, 0)
    simulation, missing, choice = executions.simulations[one], executions.simulations[other], executions.choice
    execution = executions.execution(0, other)
    reaching, lacking = classes[one], classes[other]
    early_exit = execution.missed.get(gap.step)
    if early_exit is not None:
        guard = _separating(early_exit.context, missing, simulation, choice)
        optional = guard is not None and _is_optional(early_exit.context, guard, missing)
    else:
        guard = _separating(gap.step.context, simulation, missing, choice) or _uneven_loop(
            gap.step, simulation, missing
        )
        optional = guard is not None and _is_optional(gap.step.context, guard, simulation)
    if guard is None or optional or _may_be_answered(gap.step, guard, simulation, missing):
        return None
    origin = guard
    if early_exit is not None and early_exit.exit is not None and _is_handed_over(early_exit.exit.leaves, gap.step):
        origin, early_exit = early_exit.exit.leaves or guard, None
    kind: Kind = "exit" if early_exit is not None else "guard"
    instead = gap.instead
    if instead is not None and _is_for_caller(simulation.timeline, gap.step, instead):
        instead = None
    if gap.same_place and instead is not None:
        kind = "order"
    elif _is_set_by_some(_condition(guard), simulation, missing):
        kind = "value"
    elif gap.step.exit is not None and early_exit is None:
        kind = "exit"
        early_exit = gap.step
    place = early_exit.location if early_exit is not None else seen_from(origin, gap.step)
    iteration = next((step for step in execution.steps if step.event is not None and gap.step.ends in step.loops), None)
    return Divergence(
        kind, gap.step, reaching, lacking, guard, early_exit, instead, iteration, place, len(classes) == 2
    )


def _is_for_caller(timeline: Timeline, step: TimelineStep, following: TimelineStep) -> bool:
    """Whether it is a caller who may come from one step to another: they are in two methods of a library."""
    return not timeline.run.is_script and entered(step.context) is not entered(following.context)


def _may_be_answered(step: TimelineStep, guard: Context, simulation: Simulation, missing: Simulation) -> bool:
    """Whether the other process may make the same call in a loop of its own arm, where iterations of both loops ask for
    something: that may well be one thing, such as `parts[i] is None`.
    """
    return simulation.is_up_to_iterations(step) and any(
        other.event is not None
        and other.operation == step.operation
        and any(node.location == guard.location and node.parent is guard.parent for node in other.context.chain())
        and missing.is_up_to_iterations(other)
        and not simulation.may_reach(other)
        and missing.may_reach(other)
        for other in simulation.timeline.steps
    )


def _separating(context: Context, simulation: Simulation, missing: Simulation, choice: Choice) -> Context | None:
    """The outermost circumstance that is given for one process and surely not for the other."""
    for node in reversed(list(context.chain())):
        if simulation.holds(node, choice) and not missing.holds(node, choice):
            return node if missing.knows(node, choice) else None
    return None


def _uneven_loop(step: TimelineStep, simulation: Simulation, missing: Simulation) -> Context | None:
    """The loop around a step that does not run equally often in both processes."""
    return next((node for node in step.loops if simulation.iterations(node) != missing.iterations(node)), None)


def _condition(guard: Context) -> Value:
    value = guard.test if guard.test is not None else guard.value
    return UNKNOWN if value is None else value


def _is_optional(context: Context, guard: Context, simulation: Simulation) -> bool:
    """Whether an undecided condition in a function that is called under the guard has its own say."""
    undecided = False
    for node in context.chain():
        if node is guard:
            return False
        if node.kind == "branch" and not node.implied:
            residual = simulation.residual(node)
            undecided = undecided or (residual is not None and truth_of(residual) is None)
        elif node.kind in ("call", "callback") and undecided and not _is_handed(node):
            return True
    return False


def _is_handed_over(scope: Context | None, step: TimelineStep) -> bool:
    """Whether a step is made by what a function calls as a value: the wrapper that a decorator puts around it."""
    inside = False
    for node in step.context.chain():
        inside = node.kind == "handed" or (inside and node.kind not in ("call", "callback"))
        if node.parent is scope:
            return inside
    return False


def _is_handed(node: Context) -> bool:
    """Whether the function came in as a value: the guard around its call belongs to it, as that of a decorator."""
    return node.parent is not None and node.parent.kind == "handed"


def _is_set_by_some(condition: Value, *simulations: Simulation) -> bool:
    """Whether a condition asks for a value that ranks set differently, rather than for the rank itself."""
    while isinstance(condition, Apply) and condition.operator == "not":
        (condition,) = condition.operands
    if isinstance(condition, Rank):
        return False
    if isinstance(condition, Apply):
        ranked = [operand for operand in condition.operands if simulations[0].differs(operand, simulations[1])]
        return bool(ranked) and all(_is_set_by_some(operand, *simulations) for operand in ranked)
    if isinstance(condition, Alternatives):
        labels = [label for each, _ in condition.options for label, _ in each if tags_of(label) & RANK_TAGS]
        residuals = [simulation.evaluator.residual(label) for label in labels for simulation in simulations]
        undecided = any(truth_of(left) is None and not isinstance(left, Flag) for left in residuals)
        values = any(truth_of(option) is None and not tags_of(option) & RANK_TAGS for _, option in condition.options)
        return bool(labels) and (undecided or values)
    return isinstance(condition, Unknown) and ranked_dimension(condition) is None


def seen_from(guard: Context, step: TimelineStep) -> Location:
    """The call in the function of the guard that leads to a step."""
    place = step.location
    for node in step.context.chain():
        if node is guard:
            break
        if node.kind in ("call", "process", "callback") and not _is_handed(node):
            place = node.location
    return place
