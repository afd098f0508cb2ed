"""The jobs of a script that are judged apart, since they differ in what a run asks of its job.

A run keeps each condition that it cannot decide. What a launch gives its script decides some of them: then events
under the other arm do not happen, and of what was one of several things that is left which the job has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ddl_lint.analysis.queries.launch_values import in_job
from ddl_lint.analysis.values.conditions import truth_of
from ddl_lint.analysis.values.lattice import prune
from ddl_lint.analysis.values.visitors import Change, children, dependencies, objects_in, parts, rebuild
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Finding
from ddl_lint.jobs.job import Job, JobPart
from ddl_lint.program.job_choices import JobChoice, UnderJobs
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Alternatives, Apply, Const, Items, Setting, Table, Value
from ddl_lint.source.span import Location

_MOST_CLASSES = 4


@dataclass(frozen=True)
class JobClass:
    """Jobs in which the same happens: one of them, and the run as it is in each."""

    job: Job
    view: RunView
    is_each: bool
    """Whether all jobs of the script that may be of several processes are of this class."""

    deciding: tuple[JobPart[str], ...]
    """What distinguishes them, in words, and where it is written."""

    arm: str = ""
    """What is given where no launch says anything: `--strategy plain`; empty for jobs of launches."""

    unmet: str = ""
    """Why no launch of the project starts such a job, as a half sentence."""

    jobs: tuple[Job, ...] = ()
    """The jobs of launches that are of this class."""

    def may_say(self, run: RunView, finding: Finding) -> bool:
        """Whether a finding speaks of nothing that happens in other jobs only."""
        return _left_out(run, self.view).isdisjoint((finding.location, *(each.location for each in finding.evidence)))


NO_JOB = "only in a mode that no launch of this project chooses"


def are_all(run: RunView, found: Sequence[JobClass]) -> bool:
    """Whether each job that may be of several processes is in one of some classes, and surely given nothing else."""
    jobs = [job for job in run.jobs if job.may_be_several]
    return bool(found) and sum(len(each.jobs) for each in found) == len(jobs) and all(job.is_whole for job in jobs)


def job_classes(run: RunView) -> list[JobClass]:
    """The classes of jobs of which more is known than of any job; none of a run that is that of a job already."""
    jobs = [job for job in run.jobs if job.may_be_several]
    if not jobs or run.job is not None:
        return []
    classes: dict[object, list[Job]] = {}
    for job in jobs:
        classes.setdefault((_chosen(run, job), frozenset(_decided_by(run, job).items())), []).append(job)
    found: list[JobClass] = []
    for those in list(classes.values())[:_MOST_CLASSES]:
        view = run_in_job(run, those[0])
        if view is not None:
            deciding = tuple(_deciding(run, those[0]))
            found.append(JobClass(those[0], view, len(classes) == 1, deciding, jobs=tuple(those)))
    return found


def run_in_job(run: RunView, job: Job) -> RunView | None:
    """The run as it is in a job; None where nothing of it differs, or where that is not known."""
    return run_where(run, job, lambda value: in_job(value, job))


def run_where(run: RunView, job: Job, known: Change) -> RunView | None:
    """The run as it is in a job in which more is known of each value; None where nothing of it differs, or where that
    is not known: a function that was followed in another arm only was not followed once more in that of the job.
    """
    facts = decided(run, known)
    narrowed = _Narrowed(facts)
    events = [narrowed.event(event) for event in run.run.events if narrowed.happens(event.context)]
    is_same = len(events) == len(run.run.events) and all(map(_is, events, run.run.events))
    if is_same:
        return run.under(job, run.run) if _chosen(run, job) else None
    left_out = (event for event in run.run.events if not narrowed.happens(event.context))
    entered = {node.function for event in left_out for node in event.context.chain() if node.function is not None}
    if run.exhausted or any(each in entered and narrowed.happens(context) for each, context in run.run.refused):
        return None
    narrowed = _Narrowed(facts, known)
    events = [narrowed.event(event) for event in run.run.events if narrowed.happens(event.context)]
    exits = [each for each in run.run.exits if narrowed.happens(each.context)]
    return run.under(job, replace(run.run, events=events, exits=exits))


def _left_out(run: RunView, view: RunView) -> frozenset[Location]:
    """The places at which something happens in a run, but not as it is in a job."""
    left = frozenset(event.location for event in view.run.events)
    return frozenset(event.location for event in run.run.events) - left


def _is(one: Event, other: Event) -> bool:
    return one is other


class _Narrowed:
    """What is left of a run once some conditions are known, with the options of a job in their place."""

    def __init__(self, facts: Mapping[Value, bool], known: Change | None = None) -> None:
        self._facts = facts
        self._known = known
        self._happens: dict[Context, bool] = {}
        self._values: dict[Value, Value] = {}

    def happens(self, context: Context) -> bool:
        """Whether the program may come to a circumstance."""
        if not self._facts:
            return True
        known = self._happens.get(context)
        if known is None:
            node = next((each for each in context.chain() if self._excludes(each)), None)
            known = self._happens[context] = node is None
        return known

    def _excludes(self, node: Context) -> bool:
        return node.kind == "branch" and node.value is not None and self._facts.get(node.value, node.arm) != node.arm

    def event(self, event: Event) -> Event:
        """An event with what is left of its operands; the same one where that is all."""
        if not self._facts:
            return event
        operands = {role: self._value(value) for role, value in event.operands.items()}
        result = self._value(event.result) if event.result is not None else None
        if result is event.result and all(operands[role] is value for role, value in event.operands.items()):
            return event
        return replace(event, operands=operands, result=result)

    def _value(self, value: Value) -> Value:
        if isinstance(value, Setting) and self._known is not None:
            return self._known(value)
        if not isinstance(value, (Alternatives, Items, Table, Apply)):
            return value
        known = self._values.get(value)
        if known is None:
            left = prune(value, self._facts)
            if _is_count(left):
                left = value  # a variable of a loop begins with one, and goes on
            left = rebuild(left, self._value) if left is value or isinstance(left, Alternatives) else self._value(left)
            known = self._values[value] = value if left == value else left
        return known


def _is_count(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, (int, float)) and not isinstance(value.value, bool)


# --- what a run asks of its job -----------------------------------------------------------------------------------


def _chosen(run: RunView, job: Job) -> frozenset[JobChoice]:
    """The choices of a job that a run asks for."""
    return run.once(_asked).intersection(job.choices)


def _asked(run: RunView) -> frozenset[JobChoice]:
    results = (event.result for event in run.run.events if event.result is not None)
    traits = (trait for result in results for made in objects_in(result, deep=False) for trait in made.traits.values())
    return frozenset(choice for trait in traits if isinstance(trait, UnderJobs) for choice in trait.choices)


def decided(run: RunView, known: Change) -> dict[Value, bool]:
    """The conditions on options that are decided where more is known of values, directly or through others."""
    found: dict[Value, bool] = {}
    choices: list[Value] = []
    for condition in run.once(conditions_on_options):
        truth = truth_of(known(condition))
        if truth is not None:
            found[condition] = truth
        elif isinstance(condition, Alternatives):
            choices.append(condition)
    for condition in choices if found else ():
        truth = truth_of(prune(condition, found))
        if truth is not None:
            found[condition] = truth
    return found


def _decided_by(run: RunView, job: Job) -> dict[Value, bool]:
    return decided(run, lambda value: in_job(value, job))


def conditions_on_options(run: RunView) -> tuple[Value, ...]:
    """The conditions that depend on options, and are not decided in the run."""
    return tuple(
        condition
        for condition in dict.fromkeys(_conditions(run))
        if any(map(is_option, parts(condition, below=dependencies))) and not _asks_for_mode(run, condition)
    )


def asks_options(run: RunView, condition: Value) -> bool:
    """Whether a condition asks for options, and for none by whose name the program runs distributed."""
    return any(map(is_option, parts(condition))) and not _asks_for_mode(run, condition)


def is_option(part: Value) -> bool:
    """Whether a value is what the user gives: an option, or a field of the settings."""
    return isinstance(part, Setting) and part.source != "environment"


def _asks_for_mode(run: RunView, condition: Value) -> bool:
    """Whether a condition asks an option by whose name the program runs distributed, which it often sets itself."""
    flags = run.api.conventions.names.get("distributed_flags", ())
    return any(isinstance(part, Setting) and part.name.lower() in flags for part in parts(condition))


def _conditions(run: RunView) -> Iterator[Value]:
    seen: set[Context] = set()
    for event in run.run.events:
        for node in event.context.chain():
            if node in seen:
                break
            seen.add(node)
            if node.kind == "branch" and node.value is not None and not node.assumed:
                yield node.value
    yield from _labels(value for event in run.run.events for value in (*event.operands.values(), event.result or NONE))


def _labels(values: Iterable[Value]) -> Iterator[Value]:
    """The conditions of the choices in some values; each value is looked at once."""
    waiting = [value for value in values if value.size > 1]
    seen: set[Value] = set()
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, Alternatives):
            yield from (label for labels, _ in value.options for label, _ in labels)
        waiting += (child for child in children(value) if child.size > 1)


def _deciding(run: RunView, job: Job) -> Iterator[JobPart[str]]:
    """What a job gives or selects that decides what happens, each place once."""
    asked = _chosen(run, job)
    seen: set[Location | None] = set()
    asked_for = (part for condition in _decided_by(run, job) for part in parts(condition, below=dependencies))
    names = {part.name for part in asked_for if isinstance(part, Setting)}
    given = [(("", name), option) for name, option in job.options.items() if name in names]
    for choice, known in (*job.choices.items(), *given):
        if (choice in asked or choice[0] == "") and known.place not in seen:
            seen.add(known.place)
            yield JobPart("decides it", known.place) if choice[0] == "" else known
