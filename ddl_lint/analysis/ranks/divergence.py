"""Finds the calls at which the ranks of a job do not meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.evaluator import Bindings, Evaluator
from ddl_lint.analysis.ranks.mismatch import Gap, gaps
from ddl_lint.analysis.ranks.processes import Process, RankClass, by_signature, job
from ddl_lint.analysis.ranks.replay import Course, Player, chooser
from ddl_lint.analysis.ranks.timeline import Step, Timeline
from ddl_lint.analysis.values.conditions import Choice, truth_of
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.program.trace import Context
from ddl_lint.program.values import UNKNOWN, Alternatives, Apply, Flag, Rank, Unknown, Value
from ddl_lint.source.span import Location

Kind: TypeAlias = Literal["guard", "exit", "order", "value"]


@dataclass(frozen=True, eq=False)
class Divergence:
    """Ranks of one class make a call that those of another do not.

    kind `guard`: a condition on the rank lets only some of them through; `exit`: some left before; `value`: a value
    that only some of them set decides; `order`: the others make another call at this point (`instead`).
    """

    kind: Kind
    step: Step
    reaching: RankClass
    lacking: RankClass
    guard: Context | None
    """The condition that separates the ranks."""

    way_out: Step | None
    """Where those that lack the call have left."""

    instead: Step | None
    """The next call of those that lack this one, after the point where they should have made it."""

    next_turn: Step | None
    """The call in which those wait that stay in a loop which others have left."""

    place: Location
    """The call as it is seen from the guard: where a helper that makes it is called."""


_LARGEST_JOB = 9
_MOST_CLASSES = 6
_MOST_CHOICES = 80


def divergences(timeline: Timeline) -> list[Divergence]:
    """All divergences of a run, one for each fault."""
    ranked = timeline.ranked()
    if not ranked or not timeline.steps:
        return []
    size = meaningful_size(ranked, timeline)
    found = list(_in_job(timeline, job(1, size)))
    known = {_fault(each) for each in found}
    for each in _in_job(timeline, job(2, size)):
        if _fault(each) not in known and _needs_nodes(each):
            found.append(each)
    return list({_fault(each): each for each in reversed(found)}.values())[::-1]


def _fault(divergence: Divergence) -> tuple[object, ...]:
    """What makes two divergences the same fault: the way out, or the guard and what kind of call is behind it."""
    if divergence.kind == "exit" and divergence.way_out is not None:
        return ("exit", divergence.way_out.context.location, divergence.way_out.location)
    event = divergence.step.event
    kind = event.kind if event is not None else "end of loop"
    guard = divergence.guard
    if divergence.kind == "order":
        return ("order", guard.location if guard is not None else divergence.place)
    return (divergence.kind, kind, guard.location if guard is not None else divergence.place)


def _needs_nodes(divergence: Divergence) -> bool:
    """Whether a divergence that only several nodes show is about the place of a process on its node."""
    guard = divergence.guard
    return guard is not None and guard.value is not None and bool(tags_of(guard.value) & {"local_rank", "node_rank"})


def meaningful_size(ranked: Sequence[Value], timeline: Timeline) -> int:
    """The smallest job of one node in which each condition on the rank can turn out both ways."""
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
    nodes = processes[-1].node + 1
    larger = job(nodes, processes[0].local_world_size + _MORE)
    truths = {**_truths(timeline, processes), **_truths(timeline, larger)}
    return by_signature(processes, _signatures(timeline, processes), truths, larger)


def classes_alike(timeline: Timeline, processes: Sequence[Process]) -> tuple[RankClass, ...]:
    """The same classes where nobody asks for their names, which are most of the work."""
    return by_signature(processes, _signatures(timeline, processes))


_MORE = 4
"""How many more processes there are on a node of the job by which classes are named."""


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


def _in_job(timeline: Timeline, processes: Sequence[Process]) -> Iterator[Divergence]:
    alike = classes_alike(timeline, processes)[:_MOST_CLASSES]
    if len(alike) < 2:
        return
    players = [Player(timeline, each.first) for each in alike]
    classes: tuple[RankClass, ...] = ()
    seen: set[tuple[object, ...]] = set()
    for chosen in _choices(timeline, players):
        replays = _Replays(players, chosen)
        for index in range(1, len(players)):
            for gap in _gaps_in_all(replays, index):
                classes = classes or rank_classes(timeline, processes)
                found = _explain(gap, replays, classes, index)
                if found is not None and _fault(found) not in seen:
                    seen.add(_fault(found))
                    yield found


def _choices(timeline: Timeline, players: Sequence[Player]) -> list[dict[Value, bool]]:
    """The truths of undecided conditions that lead some process to a step at which ranks may part."""
    parting = _parting(timeline, players)
    if not parting:
        return []
    parted = [step for step in timeline.steps if not parting.isdisjoint(step.context.chain())]
    left = {step.exit.leaves for step in parted if step.exit is not None and step.exit.kind != "raise"}
    choices: dict[frozenset[tuple[Value, bool]], dict[Value, bool]] = {}
    own = set(parted)
    behind = [step for step in timeline.steps if step not in own and (None in left or not left.isdisjoint(step.scopes))]
    for step in (*parted, *behind):
        if len(choices) < _MOST_CHOICES and not step.opaque:
            for player in players:
                needs = player.needs(step)
                if needs is None:
                    continue
                choices.setdefault(frozenset(needs.items()), needs)
                for other in players:
                    missing = other.misses(step, needs) if other is not player and step in own else None
                    if missing is not None:
                        choices.setdefault(frozenset(missing.items()), missing)
    return list(choices.values())[:_MOST_CHOICES]


def _parting(timeline: Timeline, players: Sequence[Player]) -> set[Context]:
    """The circumstances in which not all processes are alike."""
    first, *others = players
    parting = {
        node for node in timeline.conditions if any(player.residual(node) != first.residual(node) for player in others)
    }
    return parting | {
        node for node in timeline.lengths if any(player.turns(node) != first.turns(node) for player in others)
    }


class _Replays:
    """The replays of all players under one choice of truths, for each way in which all else may turn out."""

    def __init__(self, players: Sequence[Player], chosen: Mapping[Value, bool]) -> None:
        self.players = players
        self.choice = chooser(chosen, None)
        ways = [[self.choice] * len(players)]
        ways += [[chooser(chosen, otherwise)] * len(players) for otherwise in (True, False)]
        if any(player.has_secrets for player in players):
            # What depends on the rank in a way that we cannot see may part the first class from the others.
            ways += [
                [_parted(chosen, first is (index == 0)) for index in range(len(players))] for first in (True, False)
            ]
        self._ways = ways
        self._courses: dict[tuple[int, int], Course] = {}

    def pairs(self, index: int) -> Iterator[tuple[Course, Course]]:
        """The courses of the first player and of another one, way by way."""
        for way in range(len(self._ways)):
            yield self.course(way, 0), self.course(way, index)

    def course(self, way: int, index: int) -> Course:
        """The course of a player; way 0 follows neither arm of what was not chosen."""
        known = self._courses.get((way, index))
        if known is None:
            known = self.players[index].play(self._ways[way][index], self.choice)
            self._courses[way, index] = known
        return known


def _parted(chosen: Mapping[Value, bool], secret: bool) -> Choice:
    """As chosen; what depends on the rank in a way that we cannot see has one truth."""

    def choice(condition: Value) -> bool | None:
        return chosen.get(condition, secret if tags_of(condition) & RANK_TAGS else None)

    return choice


def _gaps_in_all(replays: _Replays, index: int) -> list[Gap]:
    """What two processes do not share, however the conditions turn out on which it does not depend."""
    unmatched: dict[Step, Gap] | None = None
    for first, second in replays.pairs(index):
        if first.aborted or second.aborted:
            return []
        found = {gap.step: gap for gap in gaps(replays.players[0], first, replays.players[index], second)}
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


def _explain(gap: Gap, replays: _Replays, classes: Sequence[RankClass], index: int) -> Divergence | None:
    """Why the one process does not get to a step of the other."""
    one, other = (0, index) if gap.by_first else (index, 0)
    player, missing, choice = replays.players[one], replays.players[other], replays.choice
    course = replays.course(0, other)
    reaching, lacking = classes[one], classes[other]
    way_out = course.missed.get(gap.step)
    if way_out is not None:
        guard = _separating(way_out.context, missing, player, choice)
        optional = guard is not None and _is_optional(way_out.context, guard, missing)
    else:
        guard = _separating(gap.step.context, player, missing, choice) or _uneven_loop(gap.step, player, missing)
        optional = guard is not None and _is_optional(gap.step.context, guard, player)
    if guard is None or optional:
        return None
    origin = guard
    if way_out is not None and way_out.exit is not None and _is_handed_over(way_out.exit.leaves, gap.step):
        origin, way_out = way_out.exit.leaves or guard, None
    kind: Kind = "exit" if way_out is not None else "guard"
    if gap.same_place:
        kind = "order"
    elif _is_set_by_some(_condition(guard), player, missing):
        kind = "value"
    elif gap.step.exit is not None and way_out is None:
        kind = "exit"
        way_out = gap.step
    place = way_out.location if way_out is not None else seen_from(origin, gap.step)
    turn = next((step for step in course.steps if step.event is not None and gap.step.ends in step.loops), None)
    return Divergence(kind, gap.step, reaching, lacking, guard, way_out, gap.instead, turn, place)


def _separating(context: Context, player: Player, missing: Player, choice: Choice) -> Context | None:
    """The outermost circumstance that is given for one process and surely not for the other."""
    for node in reversed(list(context.chain())):
        if player.holds(node, choice) and not missing.holds(node, choice):
            return node if missing.knows(node, choice) else None
    return None


def _uneven_loop(step: Step, player: Player, missing: Player) -> Context | None:
    """The loop around a step that does not run equally often in both processes."""
    return next((node for node in step.loops if player.turns(node) != missing.turns(node)), None)


def _condition(guard: Context) -> Value:
    value = guard.test if guard.test is not None else guard.value
    return UNKNOWN if value is None else value


def _is_optional(context: Context, guard: Context, player: Player) -> bool:
    """Whether an undecided condition in a function that is called behind the guard has its own say."""
    undecided = False
    for node in context.chain():
        if node is guard:
            return False
        if node.kind == "branch" and not node.implied:
            residual = player.residual(node)
            undecided = undecided or (residual is not None and truth_of(residual) is None)
        elif node.kind in ("call", "callback") and undecided and not _is_handed(node):
            return True
    return False


def _is_handed_over(scope: Context | None, step: Step) -> bool:
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


def _is_set_by_some(condition: Value, *players: Player) -> bool:
    """Whether a condition asks for a value that ranks set differently, rather than for the rank itself."""
    while isinstance(condition, Apply) and condition.operator == "not":
        (condition,) = condition.operands
    if isinstance(condition, Rank):
        return False
    if isinstance(condition, Apply):
        ranked = [operand for operand in condition.operands if players[0].differs(operand, players[1])]
        return bool(ranked) and all(_is_set_by_some(operand, *players) for operand in ranked)
    if isinstance(condition, Alternatives):
        labels = [label for each, _ in condition.options for label, _ in each if tags_of(label) & RANK_TAGS]
        residuals = [player.residual_of(label) for label in labels for player in players]
        undecided = any(truth_of(left) is None and not isinstance(left, Flag) for left in residuals)
        values = any(truth_of(option) is None and not tags_of(option) & RANK_TAGS for _, option in condition.options)
        return bool(labels) and (undecided or values)
    return isinstance(condition, Unknown)


def seen_from(guard: Context, step: Step) -> Location:
    """The call in the function of the guard that leads to a step."""
    place = step.location
    for node in step.context.chain():
        if node is guard:
            break
        if node.kind in ("call", "process", "callback") and not _is_handed(node):
            place = node.location
    return place
