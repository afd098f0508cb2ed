"""Finds calls at which processes do not meet for what each of them sees for itself: time, chance, its data, files.

Two processes of one rank class run the same program; here they differ in one condition that the rank does not decide.
The timeline is executed with the condition true for the one and false for the other. What they do not share then,
however all other conditions turn out, is what one of them waits for forever.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.chosen import Chosen
from ddl_lint.analysis.ranks.divergence import classes_alike, meaningful_size
from ddl_lint.analysis.ranks.execution import execute
from ddl_lint.analysis.ranks.found_divergences import timeline_of
from ddl_lint.analysis.ranks.mismatch import Gap, gaps
from ddl_lint.analysis.ranks.simulation import Simulation
from ddl_lint.analysis.ranks.sources import Cause, Source, Sources
from ddl_lint.analysis.ranks.timeline import Timeline, TimelineStep
from ddl_lint.analysis.values.conditions import atoms, solve
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Confidence, Evidence, Finding, Severity
from ddl_lint.program.event_types import Forward, JoinUneven
from ddl_lint.program.trace import Context, Rescue
from ddl_lint.program.values import Symbol, Value
from ddl_lint.source.span import Location

Kind: TypeAlias = Literal["exit", "skip", "leave", "call"]


@dataclass(frozen=True, eq=False)
class LocalDivergence:
    """Processes part under a condition that each decides for itself.

    kind `exit`: some leave a loop or the program while others stay; `skip`: some pass over a backward of a replicated
    model; `leave`: some leave before another call that all must make, for what they find on the disk; `call`: some do
    not make such a call.
    """

    kind: Kind
    cause: Cause
    step: TimelineStep
    """The call that some do not make; for `exit`, the early exit that some take."""

    place: Location
    """The early exit, or the condition, or the handler."""

    waits: TimelineStep
    """The call in which the others wait."""

    run: RunView

    decides: Context | None = None
    """The branch that asks the condition; None for a handler."""

    leaves: bool = True
    """Whether the processes for which the condition of that branch is true leave, or pass over the call."""


def local_divergences(run: RunView) -> tuple[LocalDivergence, ...]:
    """What the rules about such conditions choose from, each place once."""
    return run.once(_local_divergences)


def is_of_own_share(run: RunView, value: Value) -> bool:
    """Whether a value was computed from this process' share of the data, and surely from nothing that others sent."""
    return run.once(_sources).is_of_own_share(value)


def _sources(run: RunView) -> Sources:
    return Sources(timeline_of(run), run.api)


def _local_divergences(run: RunView) -> tuple[LocalDivergence, ...]:
    timeline = timeline_of(run)
    if not timeline.steps or run.has(JoinUneven):  # its business is that some processes stop before the others
        return ()
    found: dict[Location, LocalDivergence] = {}
    for divergence in (*_of_conditions(timeline), *_of_rescues(run, timeline)):
        found.setdefault(divergence.place, divergence)
    return tuple(found.values())


# --- conditions -------------------------------------------------------------------------------------------------------

_MOST_CHOICES = 60


def _of_conditions(timeline: Timeline) -> Iterator[LocalDivergence]:
    sources = timeline.run.once(_sources)
    simulation = _one_of_several(timeline)
    if simulation is None:
        return
    causes: dict[Value, Cause] = {}
    for node in timeline.conditions:
        residual = simulation.residual(node)
        if node.kind == "branch" and residual is not None:
            for atom in atoms(residual):
                cause = sources.cause(atom, node)
                if cause is not None:
                    causes.setdefault(atom, cause)
    if not causes:
        return
    told_of: set[Value] = set()
    tried: set[tuple[Value, frozenset[tuple[Value, bool]]]] = set()
    for step in timeline.steps:
        if not (step.event is not None or step.ends is not None or _ends_program(step)) or step.opaque:
            continue
        needs = simulation.needs(step)
        if needs is None:
            continue
        for atom in causes:
            required = needs if atom in needs else _decided_by(step, simulation, atom)
            if required is None:
                continue
            chosen = _made_to_matter(step, simulation, atom, required)
            choice = (atom, frozenset(chosen.items()))
            if choice not in tried and len(tried) < _MOST_CHOICES:
                tried.add(choice)
                found = list(_diverging(timeline, simulation, causes[atom], atom, chosen))
                if found and atom not in told_of:
                    told_of.add(atom)  # what follows from the same answer is the same fault
                    yield found[0]


def _one_of_several(timeline: Timeline) -> Simulation | None:
    """A process that is not the only one of its class."""
    ranked = timeline.ranked()
    size = meaningful_size(ranked, timeline) + 1 if ranked else 2
    classes = [each for each in classes_alike(timeline, timeline.job(1, size)) if len(each.members) > 1]
    return Simulation(timeline, max(classes, key=lambda each: len(each.members)).first) if classes else None


def _decided_by(step: TimelineStep, simulation: Simulation, atom: Value) -> dict[Value, bool] | None:
    """Truths under which one part of a condition alone makes a process leave a loop: `a` in `not (a and b)`."""
    node = next((node for node in step.context.chain() if node.kind == "branch"), None)
    residual = simulation.residual(node) if node is not None and step.ends is not None else None
    if node is None or residual is None or atom not in list(atoms(residual)):
        return None
    for truth in (True, False):
        alone = {atom: truth}
        if solve(residual, node.arm, alone) and len(alone) == 1:
            return simulation.needs(step, alone)
    return None


def _made_to_matter(
    step: TimelineStep, simulation: Simulation, atom: Value, needs: dict[Value, bool]
) -> dict[Value, bool]:
    """Truths for the other parts of a condition under which this part decides: in `a and b`, `b` is true."""
    for node in step.context.chain():
        residual = simulation.residual(node) if node.kind == "branch" else None
        if residual is None or atom not in list(atoms(residual)):
            continue
        turned = {**needs, atom: not needs[atom]}
        if solve(residual, not node.arm, turned):
            return {**turned, atom: needs[atom]}
    return needs


def _ends_program(step: TimelineStep) -> bool:
    return step.exit is not None and step.exit.kind == "exit"


def _diverging(
    timeline: Timeline, simulation: Simulation, cause: Cause, atom: Value, needs: dict[Value, bool]
) -> Iterator[LocalDivergence]:
    """What two processes do not share that differ in one condition."""
    unmatched: dict[TimelineStep, Gap] | None = None
    missed: dict[TimelineStep, TimelineStep] = {}
    for otherwise in (None, True, False):
        executions = [
            execute(simulation, Chosen(chosen, otherwise), Chosen(chosen))
            for chosen in (needs, {**needs, atom: not needs[atom]})
        ]
        found = {
            gap.step: gap for gap in gaps(simulation, executions[0], simulation, executions[1]) if not gap.same_place
        }
        unmatched = found if unmatched is None else {step: gap for step, gap in unmatched.items() if step in found}
        if otherwise is None:
            for execution in executions:
                missed.update(execution.missed)
    by_place: dict[Location, list[tuple[TimelineStep, TimelineStep | None, Context]]] = defaultdict(list)
    for step in unmatched or ():
        early_exit = step if step.exit is not None else missed.get(step)
        node = _deciding(early_exit or step, simulation, atom)
        if node is not None and _is_sure(step):
            place = early_exit.location if early_exit is not None else node.location
            by_place[place].append((step, early_exit, node))
    for place, group in by_place.items():
        divergence = _told(timeline, cause, place, group)
        if divergence is not None:
            yield divergence


def _deciding(step: TimelineStep, simulation: Simulation, atom: Value) -> Context | None:
    """The innermost branch that asks the condition, if it is written as one: not as the choice of what is called."""
    calls = {step.location} if step.event is not None else set[Location]()
    for node in step.context.chain():
        if node.kind == "call":
            calls.add(node.location)
        residual = simulation.residual(node) if node.kind == "branch" else None
        if residual is not None and atom in list(atoms(residual)):
            return node if node.location not in calls else None
    return None


def _told(
    timeline: Timeline, cause: Cause, place: Location, group: list[tuple[TimelineStep, TimelineStep | None, Context]]
) -> LocalDivergence | None:
    step, early_exit, node = group[0]
    steps = [each for each, _, _ in group]
    if early_exit is not None and (early_exit.ends is not None or _ends_program(early_exit)):
        if cause.is_weak or not cause.ends_loops:
            return None
        ends, loops = early_exit.ends, early_exit.loops
        loops = loops if ends is None else loops[: loops.index(ends) + 1]
        waits = _iteration(timeline, loops)
        if waits is None:
            return None
        return LocalDivergence("exit", cause, early_exit, place, waits, timeline.run, node, node.arm)
    passed = next((each for each in steps if each.name == "backward" or _steps_together(each)), None)
    if passed is not None:
        if not _loop_of_batches(passed, node):
            return None
        leaves = node.arm is (early_exit is not None)
        return LocalDivergence("skip", cause, passed, place, passed, timeline.run, node, leaves)
    if cause.is_weak or not cause.guards_calls:
        return None
    kind: Kind = "leave" if early_exit is not None and cause.source in ("files", "own files") else "call"
    return LocalDivergence(kind, cause, step, place, step, timeline.run, node, node.arm is (early_exit is not None))


def _steps_together(step: TimelineStep) -> bool:
    return step.event is not None and step.event.kind == "optimizer_step"


def _loop_of_batches(step: TimelineStep, node: Context) -> bool:
    """Whether the condition is asked in the very loop that holds the call."""
    return bool(step.loops) and node.is_within(step.loops[0])


def _iteration(timeline: Timeline, loops: Iterable[Context]) -> TimelineStep | None:
    """The first call of a loop that surely needs all ranks."""
    around = set(loops)
    sure = (step for step in timeline.steps if step.event is not None and _is_sure(step))
    return next((step for step in sure if not around.isdisjoint(step.loops)), None)


def _is_sure(step: TimelineStep) -> bool:
    return step.certainty == "surely" and not step.opaque


# --- handlers ---------------------------------------------------------------------------------------------------------


def _of_rescues(run: RunView, timeline: Timeline) -> Iterator[LocalDivergence]:
    """`try` around a backward, where an error on one rank is survived."""
    errors = frozenset(run.api.conventions.names.get("step_errors", ()))
    for rescue in run.run.rescues:
        loop = next((node for node in rescue.attempt.chain() if node.kind == "loop"), None)
        if loop is None or not _catches(rescue, errors):
            continue
        if _tries_again(run, rescue, loop) or _makes_calls(timeline, rescue):
            continue
        passed = next((step for step in timeline.steps if _is_passed_over(step, rescue, loop, run)), None)
        if passed is not None:
            cause = Cause("error", is_weak=not (rescue.raises or _catches(rescue, errors - _ANY_ERROR)))
            yield LocalDivergence("skip", cause, passed, rescue.location, passed, run)


_ANY_ERROR = frozenset({"Exception", "BaseException"})
"""Who catches these has no error of one process in mind, such as one of memory."""


def _catches(rescue: Rescue, errors: frozenset[str]) -> bool:
    return any(isinstance(part, Symbol) and part.name.rpartition(".")[2] in errors for part in parts(rescue.caught))


def _tries_again(run: RunView, rescue: Rescue, loop: Context) -> bool:
    """Whether the loop is there to try again: it ends when the `try` succeeds, on all ways through it."""
    exits = [each for each in run.run.exits if each.kind in ("break", "return")]
    if any(each.context.is_within(rescue.attempt) for each in exits):
        return True
    return loop.breaks and not any(each.leaves is loop for each in exits)  # a `break` under no condition is none


def _makes_calls(timeline: Timeline, rescue: Rescue) -> bool:
    return any(step.context.is_within(rescue.handler) for step in timeline.steps if step.event is not None)


def _is_passed_over(step: TimelineStep, rescue: Rescue, loop: Context, run: RunView) -> bool:
    """Whether a failure in the `try` keeps a process from a backward of the same iteration."""
    if step.event is None or step.event.kind != "backward":
        return False
    if not _is_sure(step) or step.loops[:1] != (loop,):
        return False
    if step.context.is_within(rescue.attempt):
        return True
    return rescue.next_iteration and any(
        event.context.is_within(rescue.attempt) and event.order < step.order for event in run.events(Forward)
    )


# --- messages ---------------------------------------------------------------------------------------------------------

_REASONS: dict[Source, str] = {
    "time": "each process reads its own clock",
    "random": "each process draws its own random number",
    "data": "each process sees different data",
    "files": "each process looks for the file at a different moment",
    "own files": "each process looks for its own file",
    "signal": "each process hears of the signal at a different moment",
    "error": "an error may occur in one process only",
}
_HELP: dict[Source, str] = {
    "time": "Let rank 0 read the clock and broadcast the decision, so that all ranks take the same branch.",
    "random": "Seed the generator with the same number on all ranks, or let rank 0 draw and broadcast the result.",
    "data": "All-reduce the condition (sum or maximum), so that all ranks take the same branch.",
    "files": "Let rank 0 look for the file and broadcast the answer.",
    "own files": "All-reduce the answer, so that all ranks take the same branch.",
    "signal": "All-reduce the flag, so that all ranks take the same branch.",
    "error": "All-reduce a flag after the `try`, so that all ranks take the same branch.",
}


def local_divergence_finding(run: RunView, divergence: LocalDivergence) -> Finding:
    """The finding for a divergence: what some ranks skip, where the others wait for them, and why they differ."""
    waits = f"`{divergence.waits.name}` ({run.place(divergence.waits.location, divergence.place)})"
    if divergence.kind == "exit":
        rest = f"some ranks may leave here while the others wait in {waits}"
    elif divergence.kind == "leave":
        rest = f"some ranks may leave here and never reach {waits}"
    else:
        rest = f"some ranks may skip {waits} while the others wait in it"
    source = divergence.cause.source
    is_rare = source == "error" and divergence.cause.is_weak
    return Finding(
        f"{rest}: {_REASONS[source]}",
        divergence.place,
        (Evidence("the other ranks wait here", divergence.waits.location, "the other ranks"),),
        confidence=None if _is_plain(divergence) else Confidence.MEDIUM,
        severity=Severity.INFO if is_rare else None,
        doubt="only with an error that some processes meet and others do not" if is_rare else "",
        help=_HELP[source],
        ranks="" if divergence.kind == "skip" else "some ranks",
        consequence="hang",
    )


def _is_plain(divergence: LocalDivergence) -> bool:
    """Whether processes surely differ in the end: by their clocks, or by data that each of them has for itself."""
    if divergence.kind == "skip":
        return divergence.cause.source in ("data", "time", "error")
    return divergence.cause.source in ("data", "time", "signal", "own files") and not divergence.cause.is_weak
