"""What the rules say of a project: of each run by itself, then of what runs tell each other.

What the rules say is data. It can be kept under what its run was made of; the run itself is dropped after its check.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias, overload

from ddl_lint.analysis.queries.arms import arms
from ddl_lint.analysis.queries.coherence import never_together
from ddl_lint.analysis.queries.job_classes import NO_JOB, JobClass, are_all, job_classes
from ddl_lint.analysis.queries.job_size import doubt_of_several, unlaunched
from ddl_lint.analysis.queries.launch_values import is_about_checkpoint, may_meet, unset_option
from ddl_lint.analysis.shared import Shared
from ddl_lint.analysis.view import RunView
from ddl_lint.crash import contained
from ddl_lint.finding import Confidence, Evidence, Finding, JobOfFinding, RuleFinding, Severity
from ddl_lint.fixes.unfixable import without_fix
from ddl_lint.jobs.job import Job
from ddl_lint.program.events import EventKind
from ddl_lint.registry.rules import Rule
from ddl_lint.source.span import Location
from ddl_lint.timing import stage


@dataclass(frozen=True)
class RunResult:
    """What the rules say of one run."""

    path: str
    module: str
    known: frozenset[str]
    """The names of the modules that the run has looked into, with all that these import."""

    given_up: Finding | None
    """A note on a script that was not followed to its end."""

    findings: tuple[RuleFinding, ...] = ()
    """Of a rule that joins, those that may yet fall."""

    facts: Mapping[str, tuple[object, ...]] | None = None
    """What the run tells others, by the code of the rule that asks."""

    crashes: tuple[tuple[str, RuleFinding], ...] = ()
    """Where a rule failed, with its code."""


_Place: TypeAlias = tuple[str, Location]
"""The code of a rule, and where it says something."""


@dataclass
class _RuleOutput:
    """What the rules say of a run in one job, or in several."""

    findings: dict[tuple[str, Location], Finding]
    facts: dict[str, tuple[object, ...]]
    crashes: list[tuple[str, RuleFinding]]

    def add(self, other: _RuleOutput, new: Mapping[tuple[str, Location], Finding]) -> None:
        """Add what is said of another job; of the findings those that are `new`."""
        self.findings.update(new)
        for code, told in other.facts.items():
            known = self.facts.get(code, ())
            self.facts[code] = (*known, *(fact for fact in told if fact not in known))
        self.crashes += (crash for crash in other.crashes if crash not in self.crashes)

    def name_jobs(self, run: RunView, usual: Container[_Place], judged: Sequence[tuple[JobClass, _RuleOutput]]) -> None:
        """Tell with each finding which jobs meet it; `usual` is what is said of any job, judged by itself or not."""
        jobs = [job for job in run.jobs if job.may_be_several][:_MOST_JOBS]
        said_of = {id(job): other.findings for those, other in judged for job in those.jobs}
        for place, finding in self.findings.items() if jobs else ():
            named: list[JobOfFinding] = []
            for job in jobs:
                is_said = place in said_of.get(id(job), usual)
                is_met = is_said and may_meet(run, finding, job)
                named.append(JobOfFinding(job.place, job.world_size.value, job.nodes.value, is_met))
            self.findings[place] = replace(finding, jobs=tuple(named))


_MOST_JOBS = 20


class RuleRunner:
    """The rules that are asked, by the kinds of events that they are about."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._always: list[Rule] = []
        self._by_kind: dict[str, list[Rule]] = defaultdict(list)
        self.rules = [rule for rule in rules if rule.has_check]
        for rule in self.rules:
            for kind in rule.info.events:
                self._by_kind[kind].append(rule)
            if not rule.info.events and not rule.info.checks_project_files:
                self._always.append(rule)
        self.wanted: frozenset[EventKind] = frozenset().union(
            *(each.info.events | each.info.probes for each in self.rules)
        )
        """The kinds of events that they say they read."""

    def run_result(self, run: RunView) -> RunResult:
        """What the rules say of a run: of any job, and of the jobs that launches describe."""
        said, classes = self._said(run), job_classes(run)
        in_jobs = [self._said(each.view, said.findings) for each in classes]
        if are_all(run, classes):
            met = {place for other in in_jobs for place in other.findings}
            for place in said.findings.keys() - met:
                said.findings[place] = _as_hint(said.findings[place], NO_JOB)
        usual = set(said.findings)
        for each, other in zip(classes, in_jobs, strict=True):
            said.add(other, self._new(run, said, other, each))
        said.name_jobs(run, usual, list(zip(classes, in_jobs, strict=True)))
        for arm in arms(run):
            said.findings.update(self._new(run, said, self._said(arm.view, said.findings, only_new=True), arm))
        return RunResult(
            run.run.path,
            run.run.module,
            run.known,
            _given_up(run),
            tuple(RuleFinding(code, finding) for (code, _), finding in said.findings.items()),
            {code: told for code, told in said.facts.items() if told},
            tuple(said.crashes),
        )

    def _said(self, run: RunView, before: Collection[_Place] = (), *, only_new: bool = False) -> _RuleOutput:
        """What the rules say of a run in one job.

        Args:
            run: The run as it is in that job.
            before: Where something was said before; no fix is built there again.
            only_new: Leave out what is said there, and what runs tell each other.
        """
        findings: dict[tuple[str, Location], Finding] = {}
        facts: dict[str, tuple[object, ...]] = {}
        crashes: list[tuple[str, RuleFinding]] = []
        alone, unmet = doubt_of_several(run), unlaunched(run)
        for rule in self._asked(run, surely_alone=alone is None):
            failed: list[RuleFinding] = []
            with contained(failed, f"the rule `{rule.name}`", Location(run.run.path, 0, 0)):
                with stage("imports of rules"):
                    check = rule.check if not rule.info.checks_project_files else _nothing
                    publish = rule.publish if not only_new else None
                run.said = frozenset(location for code, location in before if code == rule.code)
                with stage("rules", rule.name):
                    facts[rule.code] = tuple(publish(run)) if publish is not None else ()
                    for finding in check(run):
                        if only_new and (rule.code, finding.location) in before:
                            continue
                        doubt, reason = (alone, unmet) if rule.info.several_processes else ("", "")
                        if not never_together(run, finding):
                            place, told = (rule.code, finding.location), _doubted(_unmet(finding, reason, rule), doubt)
                            if option := unset_option(run, finding):
                                told = _with_option(told, option, is_certain=_is_certain(run, finding, rule))
                            known = findings.setdefault(place, told)
                            if _matters_more(told, known, rule.info.severity):
                                findings[place] = told
            crashes += ((rule.code, each) for each in failed)
        return _RuleOutput(findings, facts, crashes)

    def _new(
        self, run: RunView, said: _RuleOutput, other: _RuleOutput, those: JobClass
    ) -> dict[tuple[str, Location], Finding]:
        """What is said of some jobs, and was not said before; of arms no hints."""
        usual = {rule.code: rule.info.severity for rule in self.rules}
        found: dict[tuple[str, Location], Finding] = {}
        for (code, location), finding in other.findings.items():
            severity = finding.severity or usual[code]
            is_left_out = bool(those.arm) and severity is Severity.INFO
            if (code, location) not in said.findings and not is_left_out and those.may_say(run, finding):
                found[code, location] = _of_class(replace(finding, severity=severity), those)
        return found

    def _asked(self, run: RunView, *, surely_alone: bool) -> Iterator[Rule]:
        """The rules that have something to say of a run, in the order of their codes; of one that is surely the only
        process of its job, those that speak of several have not.
        """
        asked = {rule.code: rule for kind in run.kinds for rule in self._by_kind.get(kind, ())}
        asked.update((rule.code, rule) for rule in self._always)
        for _, rule in sorted(asked.items()):
            if not (surely_alone and rule.info.several_processes):
                yield rule


def _of_class(finding: Finding, those: JobClass) -> Finding:
    """A finding that only some jobs meet, of which more is known than of any job."""
    evidence = [Evidence(f"this {known.value}", known.place) for known in those.deciding if known.place is not None]
    if not those.arm and not any(each.location.path == those.job.place.path for each in evidence):
        evidence.append(Evidence(f"the job is launched here{_size(those.job)}", those.job.place))
    message = f"{finding.message} (with {those.arm})" if those.arm else finding.message
    met = replace(finding, message=message, evidence=(*finding.evidence, *evidence))
    if finding.severity is Severity.ERROR and not those.is_each:
        met = replace(met, severity=Severity.WARNING)
    return _as_hint(met, those.unmet)


def _size(job: Job) -> str:
    """How many processes it has, where that is known: ` with 32 processes on 4 nodes`."""
    size, nodes = job.world_size.value, job.nodes.value
    if size is None:
        return ""
    return f" with {size} processes" + (f" on {nodes} nodes" if nodes is not None and nodes > 1 else "")


def _nothing(run: RunView) -> Iterable[Finding]:
    """The check of a rule that only tells its check of project files of runs."""
    del run
    return ()


def _given_up(run: RunView) -> Finding | None:
    """A note on a script that was not followed to its end: where that was, and what took the most statements."""
    cut = run.run.cut
    if cut is None or not run.is_script:
        return None
    place = run.place(cut.location)
    place = f"`{cut.function.name}` ({place})" if cut.function is not None else place
    message = f"Partly checked: the analysis stopped after {cut.limit} in {place}; code after it was not checked"
    around = (node.location for node in cut.context.chain() if node.location.path == run.run.path)
    start = Location(run.run.path, 0, 0)
    inside = cut.location if cut.location.path == start.path else next(around, start)
    evidence: tuple[Evidence, ...] = ()
    if cut.dearest is not None:
        function, location = cut.dearest
        evidence = (Evidence(f"`{function.name}` took most of the budget", location),)
    return Finding(message, inside, evidence)


def _doubted(finding: Finding, doubt: str | None) -> Finding:
    if not doubt:
        return finding
    return replace(finding, doubt=doubt, confidence=Confidence.MEDIUM)


def _as_hint(finding: Finding, reason: str) -> Finding:
    """A finding that no job is known to meet, for a reason, is true and harmless."""
    if not reason:
        return finding
    return replace(finding, severity=Severity.INFO, doubt=finding.doubt or reason)


def _unmet(finding: Finding, reason: str, rule: Rule) -> Finding:
    """A finding in a script of which no known launch starts several processes. Whoever comes to start it so, as the
    author of a new script does, must know of a hang; the rest shows by then.
    """
    if reason and (finding.consequence or rule.info.consequence) == "hang":
        is_error = (finding.severity or rule.info.severity) is Severity.ERROR
        return replace(finding, severity=Severity.WARNING) if is_error else finding
    return _as_hint(finding, reason)


def _with_option(finding: Finding, reason: str, *, is_certain: bool) -> Finding:
    """A finding that only a job meets which gives an option that the project never does."""
    return replace(finding, severity=Severity.WARNING) if is_certain else _as_hint(finding, reason)


def _is_certain(run: RunView, finding: Finding, rule: Rule) -> bool:
    """Whether each job that comes to the place of a finding meets the fault, the first one as well."""
    fails = (finding.consequence or rule.info.consequence) in ("hang", "crash")
    always = (finding.severity or rule.info.severity) is Severity.ERROR
    return (fails or always) and not is_about_checkpoint(run, finding)


def _as_before(left: Finding, finding: Finding) -> Finding:
    """What a join has made of a finding, as doubtful as that was."""
    if finding.confidence is Confidence.MEDIUM:
        return _doubted(left, finding.doubt)
    return _as_hint(left, finding.doubt)


@dataclass(frozen=True)
class MergedResult:
    """What the rules say of a project, each place once, and where one failed; by the codes of the rules."""

    findings: list[RuleFinding]
    crashes: list[tuple[str, RuleFinding]]
    """Each with the code of the rule that failed."""


def merge_runs(
    run_results: Sequence[RunResult],
    rules: Iterable[Rule],
    module_of: Callable[[str], str | None],
    are_apart: Callable[[str, str], bool] = lambda one, other: False,
) -> MergedResult:
    """What is left of the findings of all runs when each rule has seen what the runs tell each other.

    Args:
        run_results: Those of the runs of one project.
        rules: The rules that were asked.
        module_of: The module that the file with a path is.
        are_apart: Whether two files, by their paths, are those of neighbours.
    """
    joins = {rule.code: rule for rule in rules}
    told = _Published(run_results, are_apart)
    found: dict[tuple[str, Location], Finding] = {}
    crashes = {(code, crash.location): crash for run_result in run_results for code, crash in run_result.crashes}
    for run_result in run_results:
        for each in run_result.findings:
            code, finding = each.code, each.finding
            left: Finding | None = finding
            failed: list[RuleFinding] = []
            with contained(failed, f"the rule `{joins[code].name}`", Location(run_result.path, 0, 0)):
                join = joins[code].join
                if join is not None:
                    left = join(finding, told.beside(run_result, code, module_of(finding.location.path)))
                    left = _as_before(left, finding) if left is not None else None
            crashes.update(((code, crash.location), crash) for crash in failed)
            if left is not None and not failed:
                known = found.setdefault((code, left.location), left)
                jobs = tuple(dict.fromkeys((*known.jobs, *left.jobs)))
                if _matters_more(left, known, joins[code].info.severity):
                    known = left
                known = found[code, left.location] = replace(known, jobs=jobs) if jobs != known.jobs else known
                if left.unfixable and known.fix is not None:  # a fix must be right for every program
                    found[code, left.location] = without_fix(known, left.unfixable)
    return MergedResult(
        [RuleFinding(code, finding) for (code, _), finding in sorted(found.items(), key=lambda each: each[0][0])],
        [(code, crash) for (code, _), crash in crashes.items()],
    )


def _matters_more(finding: Finding, known: Finding, usual: Severity) -> bool:
    """Whether one program is sure of what another one doubts, or more of its jobs meet it than of the other's."""
    if bool(finding.doubt) is not bool(known.doubt):
        return bool(known.doubt)
    return (finding.severity or usual).rank > (known.severity or usual).rank


class _Near(Sequence[object]):
    """Facts that are only looked for if a rule asks: few do."""

    def __init__(self, facts: Callable[[], Iterable[object]]) -> None:
        self._find = facts

    @cached_property
    def _facts(self) -> tuple[object, ...]:
        return tuple(self._find())

    @overload
    def __getitem__(self, index: int) -> object: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[object]: ...
    def __getitem__(self, index: int | slice) -> object:
        return self._facts[index]

    def __len__(self) -> int:
        return len(self._facts)


class _Published:
    """What the runs of a project tell each other."""

    def __init__(self, run_results: Sequence[RunResult], are_apart: Callable[[str, str], bool]) -> None:
        self._are_apart = are_apart
        self._telling = [run_result for run_result in run_results if run_result.facts]
        self._facts: dict[tuple[str, str | None], tuple[object, ...]] = {}

    def beside(self, run_result: RunResult, code: str, module: str | None) -> Shared[object]:
        """The facts for the join of a rule, beside a finding of a run in a module."""
        own = (run_result.facts or {}).get(code, ())
        return Shared(
            own, self._of(code, run_result.module), self._of(code, module), _Near(lambda: self._near(code, run_result))
        )

    def _near(self, code: str, run_result: RunResult) -> Iterator[object]:
        """The facts of the runs that are none of a neighbour, or share modules with a run."""
        for other in self._telling:
            facts = (other.facts or {}).get(code, ())
            if facts and (
                other.module in run_result.known
                or run_result.module in other.known
                or not self._are_apart(other.path, run_result.path)
            ):
                yield from facts

    def _of(self, code: str, module: str | None) -> tuple[object, ...]:
        """The facts of the runs that have looked into a module."""
        if (code, module) not in self._facts:
            self._facts[code, module] = tuple(
                fact
                for run_result in self._telling
                if module in run_result.known or module == run_result.module
                for fact in (run_result.facts or {}).get(code, ())
            )
        return self._facts[code, module]
