"""Checks a project: paths in, findings out."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ddl_lint.allowance import Allowance
from ddl_lint.analysis.interpreter.interpreter import FOLLOWING
from ddl_lint.analysis.interpreter.project.entries import may_start
from ddl_lint.analysis.interpreter.project.installed import InstalledPackages
from ddl_lint.analysis.result_cache import Workers
from ddl_lint.analysis.runs import Analyzer, Remainder, RunCheck
from ddl_lint.analysis.view import ProjectContext
from ddl_lint.check.diagnostics import diagnostics
from ddl_lint.check.file_settings import FileSettings
from ddl_lint.check.hints import Standing, standing
from ddl_lint.check.limits import analysis_limits
from ddl_lint.check.memory import Followed, Memory
from ddl_lint.check.pinned_versions import PinnedVersions
from ddl_lint.check.programs import (
    api_models,
    console_commands,
    find_program,
    launching_notebooks,
    not_followed,
    own_models,
)
from ddl_lint.check.project_files import project_jobs, surveyed
from ddl_lint.check.report import Report
from ddl_lint.check.rule_runner import RuleRunner, RunResult, merge_runs
from ddl_lint.check.series import lowered_steps
from ddl_lint.check.stored_results import StoredUnits
from ddl_lint.check.unfinished import Unfinished, careful, coverage
from ddl_lint.check.version import version_name
from ddl_lint.crash import CRASHED, contained
from ddl_lint.ending import Stopped
from ddl_lint.finding import Finding, RuleFinding
from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.jobs.launch_facts import launch_facts
from ddl_lint.jobs.project_jobs import Jobs
from ddl_lint.jobs.settings_files import SettingsFiles
from ddl_lint.program import code
from ddl_lint.program.followed import Budget, Coverage
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.project.contents import BUDGET, SYNTAX_ERROR, Contents
from ddl_lint.project.discover import LeftOut, Problem, is_of_tests
from ddl_lint.project.inputs import Inputs, content_of
from ddl_lint.project.program import Program, Relevance
from ddl_lint.project.project_context import (
    packaging_files,
    projects,
    python_files,
)
from ddl_lint.registry.rules import Rule
from ddl_lint.source.span import Location
from ddl_lint.storage import Storage, description, digest
from ddl_lint.syntax import Triage, in_deep_stack_until
from ddl_lint.timing import stage


def check_project(
    paths: Sequence[Path],
    settings_for: Callable[[Path], Settings],
    rules: Sequence[Rule],
    *,
    overlay: Mapping[str, str] | None = None,
    memory: Memory | None = None,
    storage: Storage | None = None,
    jobs: int = 1,
    alone: bool = False,
    others: Workers | None = None,
    named: Collection[str] = (),
    allowance: Allowance | None = None,
    stoppable: bool = False,
    environment: str = "",
) -> Report:
    """Check these files, those of each project by themselves: what a check of all of their projects would find in them,
    or somewhere else for a reason that lies in them.

    Args:
        paths: The files, absolute. Other files of their projects are read where they import these, or these them.
        settings_for: The settings of a file; a `ConfigError` becomes a problem and leaves the file out.
        rules: All rules that are installed; the settings choose among them.
        overlay: Path (POSIX) to a text that replaces the file's content.
        memory: What was done in earlier checks of the same files, and need not be done again.
        storage: Where the programs of files are kept from one process to the next; without it they are not.
        jobs: How many processes may work at once where there is much to do. The outcome is the same for all numbers.
        others: Processes that follow scripts at the same time, with the same storage.
        alone: Leave out who imports these files; the answer comes sooner and may lack something.
        named: Those of the files of which the report tells when no rule reads them (POSIX). They are followed first.
        allowance: What the check may cost; None: what the settings of the files say.
        stoppable: Whether Ctrl-C ends the check, once something may have been found, and not the program.
        environment: The path of a shell text that exports what the launch lines of these files are given.
    """
    memory = memory or Memory()
    is_limited = allowance is not None
    allowance = allowance or Allowance()
    try:
        return in_deep_stack_until(
            allowance.stop if stoppable else None,
            _check,
            *(paths, settings_for, rules, overlay or {}, memory, storage, jobs, alone, others, named),
            *(allowance, is_limited, environment),
        )
    except Stopped:  # it came where there is nothing to report
        raise KeyboardInterrupt from None


def _check(
    paths: Sequence[Path],
    settings_for: Callable[[Path], Settings],
    rules: Sequence[Rule],
    overlay: Mapping[str, str],
    memory: Memory,
    storage: Storage | None,
    jobs: int,
    alone: bool,
    others: Workers | None,
    named: Collection[str],
    allowance: Allowance,
    is_limited: bool,
    environment: str,
) -> Report:
    problems: list[Problem] = []
    inputs = Inputs()
    applied = FileSettings(settings_for, rules)
    for path in paths:
        try:
            applied.take(path)
        except ConfigError as error:
            problem = Problem("", str(error))
            if problem not in problems:
                problems.append(problem)
    if not is_limited:
        allowance.seconds = max((each.max_check_seconds for each in applied.settings.values()), default=math.inf)
    unfinished = Unfinished()
    asked = dict.fromkeys(filter(is_job_file, applied.settings))
    given = {path: None for path in applied.settings if path not in asked}
    on_pages: set[str] = set()  # pages that show how a checked script is started
    files = Contents(overlay, memory.contents, storage)
    found: list[RuleFinding] = []
    programs: list[Coverage] = []
    unread: list[str] = []
    standings: list[Standing] = []
    with analysis_limits():
        roots = projects(map(Path, applied.settings))
        if len(roots) > 1 and others is not None and others.synchronized:  # they would have to go through them in step
            others = None
        for root, together in roots.items():
            members = [path for path in together if path.as_posix() in given]
            is_left_out = LeftOut(root, settings_for)
            sources = {path.as_posix() for path in (*members, *python_files(root))}
            with stage("launch files"):
                asked_here = [path.as_posix() for path in together if path.as_posix() in asked]
                jobs_here = project_jobs(root, files, sources, asked_here, memory.jobs, environment)
            given |= _launch_files(asked_here, jobs_here, applied)
            on_pages |= {launch.host.path for launch in jobs_here.told if launch.script in given}
            started = [launch.script for launch in jobs_here.launches if launch.host.path in given]
            applied.take_others(jobs_here.files, is_left_out)
            program = find_program(
                root, members, files, applied, is_left_out, memory, alone=alone, started=filter(None, started)
            )
            inputs.tree(root)
            chosen = [applied.settings[path] for path in program.checked]
            inputs.files(own_models(chosen))
            try:
                with stage("models"):
                    api = api_models(chosen, storage)
            except ModelError as error:
                problems.append(Problem("", str(error)))
                continue
            wanted = frozenset[str]().union(*applied.active.values())
            runner = RuleRunner(rule for rule in rules if rule.code in wanted)
            pinned = memory.pinned[root] = PinnedVersions(root, inputs, memory.pinned.get(root))
            run_results, covered, relevant, left = _followed(
                *(
                    program,
                    jobs_here,
                    applied.settings,
                    files,
                    api,
                    memory,
                    inputs,
                    jobs,
                    runner,
                    storage,
                    others,
                    alone,
                ),
                *(allowance, named, overlay, pinned),
            )
            unfinished.add(left, sum(each.followed and each.kind == "script" for each in covered) - len(left.partly))
            programs += covered
            unread += _unread(program, relevant, named)
            applied.take_others((module.path for module in program.codebase.loaded()), is_left_out)
            are_apart = jobs_here.neighbourhood.are_apart
            here = [*_judged(run_results, runner, program, applied.active, left, are_apart)]
            shown_there = {place.location.path for each in here for place in each.finding.evidence}
            shown_there |= {job.place.path for each in here for job in each.finding.jobs}
            for path in shown_there - program.sources.keys():
                files.side_text(path)  # a file with settings or a launch, of which a line is shown
            here += _given_up(run_results, left.partly.values())
            with stage("launch files"):
                here += _surveyed(
                    program, jobs_here, runner.rules, run_results, files, applied, is_left_out, pinned, wanted
                )
            scripts = {each.path for each in covered if each.kind not in ("library", "none")}
            used = standing(program.root, program.codebase, files, jobs_here, api.packages, scripts)
            followed = {each.path for each in covered if each.followed}
            here = lowered_steps(here, followed, used.text, used.launched)
            reached = {
                (each.code, each.location)
                for run_result in run_results
                if run_result.path in scripts
                for each in run_result.findings
                if each.location.path != run_result.path
            }
            found += used.lowered(here, {rule.code: rule for rule in rules}, reached)
            standings.append(used)
            inputs.files(is_left_out.looked_at())
    found += (_lowered(fault, standings) for fault in files.faults)
    if unfinished:
        found.append(unfinished.note(allowance, given))
    with stage("suppressions"):
        shown, hints, silenced = diagnostics(found, {*given, *on_pages}, files, rules, applied)
    unread += [path for path in asked if path in named and path not in given]
    with_findings = {diagnostic.location.path for diagnostic in shown}
    unread = [path for path in unread if path not in with_findings]
    read = len(given.keys() - unread)
    report = Report(
        shown, files.documents, problems, read, programs=programs, unread=unread, hints=hints, silenced=silenced
    )
    report.is_whole, report.is_interrupted = not unfinished, allowance.is_stopped
    if (
        report.is_whole
        and files.is_lasting
        and not overlay
        and not problems
        and all(finding.code != CRASHED for finding in found)
    ):
        files.note(inputs)
        for followed in memory.followed.values():
            inputs.unchanged(followed.installed.looked_at)
        report.inputs = inputs
    return report


def _lowered(fault: RuleFinding, standings: Iterable[Standing]) -> RuleFinding:
    """A syntax error, as serious as its project makes it."""
    for used in standings:
        if fault.code == SYNTAX_ERROR and fault.location.path in used.files:
            return used.lowered_fault(fault)
    return fault


def _launch_files(asked: Iterable[str], jobs: Jobs, applied: FileSettings) -> dict[str, None]:
    """The launch files that are checked: those that are asked for, and the settings of the account."""
    paths = [*asked, *(file.path for file in jobs.of_account.values())]
    applied.take_all(paths)
    return {path: None for path in paths if path in jobs.files}


def _followed(
    program: Program,
    around: Jobs,
    settings: Mapping[str, Settings],
    files: Contents,
    api: ApiIndex,
    memory: Memory,
    inputs: Inputs,
    jobs: int,
    runner: RuleRunner,
    storage: Storage | None,
    others: Workers | None,
    is_part: bool,
    allowance: Allowance,
    named: Collection[str],
    open_texts: Collection[str],
    pinned: PinnedVersions,
) -> tuple[list[RunResult], list[Coverage], list[str], Remainder]:
    """Follow the runs that start in the files of a program, and judge each; with what was followed and what was not,
    the modules that are worth it, and what of them the check does not come to.
    """
    root, sources, codebase = program.root, program.sources, program.codebase
    console = console_commands(codebase, root)
    inputs.files(packaging_files(root))
    with stage("triage"):
        if memory.triage is None or memory.triage.packages != api.packages:
            memory.triage = Triage(api.packages)
        launched = frozenset(each.script for each in around.known_launches if each.script in sources)
        started = frozenset(entry.module for entry in console) | {sources[path].name for path in launched if path}
        relevance = Relevance(codebase, program.graph, files, memory.triage, started)
        relevant = [sources[path].name for path in program.checked if relevance.of(sources[path].name)]
        for path in program.given:
            if files.bytes_of(path) is not None:
                files.document(path)  # suppression comments and faults of the text are reported for every file
    covered = not_followed(program, relevant, console, files)
    if not relevant:
        return [], covered, relevant, Remainder()
    followed = memory.followed.get(root)
    if followed is None or followed.analyzer.api is not api:
        installed = InstalledPackages(api)
        followed = memory.followed[root] = Followed(Analyzer(api, installed), installed)
    start = Location(next(iter(program.checked)), 0, 0)
    with stage("prepare"), contained(files.faults, "lowering the program", start):
        seconds = min(settings[path].budget.seconds for path in program.checked)
        files.prepare((codebase.sources[name] for name in relevant), jobs, seconds, allowance)
        for name in relevant:
            if allowance.is_over():
                left = _remainder(program, relevant, files)
                return [], [*covered, *coverage(left)], relevant, left
            codebase.module(name)
    with stage("launch files"):
        launches = around.once(launch_facts, around)
    with stage("versions"):
        paths = [codebase.sources[name].path for name in relevant]
        targets = {path: settings.get(path, settings[program.checked[0]]).target for path in paths}
        versions = pinned.of(targets)
    settings_files = SettingsFiles(root, launches.jobs)
    budgets = {path: chosen.budget for path, chosen in settings.items() if chosen.budget != Budget()}
    project_context = ProjectContext(api, codebase, launches, files.documents, versions.of, budgets, relevant)
    aside = frozenset(
        name
        for name in relevant
        if is_of_tests(path := codebase.sources[name].path, root.as_posix())
        and not (path in named or path in open_texts or settings.get(path, settings[program.checked[0]]).include_tests)
    )
    run_results: list[RunResult] = []
    with stage("follow"), contained(files.faults, FOLLOWING, start):
        launching = launching_notebooks(program, files)
        basis = (frozenset(rule.code for rule in runner.rules), launches, versions)
        run_check = RunCheck(runner.run_result, basis, runner.wanted)
        result_cache: StoredUnits | None = None
        if storage is not None and storage.folder is not None and followed.analyzer.is_new:
            models = [(str(path), content_of(str(path))) for path in own_models(settings.values())]
            context = description(
                (version_name(storage), basis, budgets, set(codebase.sources), codebase.packages, models)
            )
            result_cache = StoredUnits(storage, root.as_posix(), digest(context), files, followed.outside, runner.rules)
        run_results = followed.analyzer.run(
            project_context,
            run_check,
            settings_files,
            console,
            launching,
            result_cache,
            others,
            is_part,
            allowance,
            named,
            aside,
        )
        if result_cache is not None:
            inputs.files(Path(path) for path, state in result_cache.looked_at.items() if isinstance(state, str))
            inputs.unchanged(
                {path: state for path, state in result_cache.looked_at.items() if not isinstance(state, str)}
            )
    files.faults += dict.fromkeys(followed.analyzer.crashes)  # a script's statements are followed as a module's, too
    covered += [*followed.analyzer.programs, *coverage(followed.analyzer.remainder)]
    files.is_lasting = files.is_lasting and followed.analyzer.is_lasting
    inputs.files(followed.analyzer.documents)
    return run_results, covered, relevant, followed.analyzer.remainder


def _remainder(program: Program, relevant: Iterable[str], files: Contents) -> Remainder:
    """All of a program that is worth following, where the time of the check is over before."""
    left = Remainder()
    for name in relevant:
        path = program.codebase.sources[name].path
        data = files.bytes_of(path)
        (left.scripts if data is not None and may_start(data) else left.libraries)[name] = path
    return left


def _unread(program: Program, relevant: Iterable[str], named: Collection[str]) -> Iterator[str]:
    """The named files of a program that no run comes to."""
    followed = frozenset(relevant)
    for path in filter(named.__contains__, program.given):
        name = program.sources[path].name
        if name not in followed and followed.isdisjoint(program.graph.importers([name])):
            yield path


def _surveyed(
    program: Program,
    jobs: Jobs,
    rules: Sequence[Rule],
    run_results: Sequence[RunResult],
    files: Contents,
    applied: FileSettings,
    is_left_out: LeftOut,
    pinned: PinnedVersions,
    wanted: frozenset[str],
) -> Iterator[RuleFinding]:
    """What rules say of the files around the programs."""
    told = (run_result.path for run_result in run_results if run_result.facts)
    telling = dict.fromkeys((*jobs.files, *(launch.host.path for launch in jobs.launches), *told))
    shown = [path for path in telling if path in applied.settings]
    if not shown and not jobs.told:
        return
    targets = {path: applied.settings[path].target for path in shown}
    versions = pinned.of(targets)
    codebase, sources = program.codebase, program.sources

    def module(path: str) -> code.Module | None:
        return codebase.module(sources[path].name) if path in sources else None

    for found in surveyed(jobs, rules, run_results, files, versions.of, wanted, module):
        applied.take_others([found.location.path], is_left_out)  # a host file, say
        yield found


def _judged(
    run_results: Sequence[RunResult],
    runner: RuleRunner,
    program: Program,
    active: Mapping[str, set[str]],
    left: Remainder,
    are_apart: Callable[[str, str], bool],
) -> Iterator[RuleFinding]:
    """What the rules say of a program, and where they failed."""

    def module_of(path: str) -> str | None:
        return program.sources[path].name if path in program.sources else None

    if scripts := [*left.scripts, *left.partly]:
        run_results = careful(run_results, runner.rules, program.graph.reached(scripts), module_of)
    judged = merge_runs(run_results, runner.rules, module_of, are_apart)
    names = {rule.code: rule.name for rule in runner.rules}
    for each in judged.findings:
        finding = each.finding
        cause = f"{finding.cause} in {program.root}" if isinstance(finding.cause, str) else finding.cause
        yield RuleFinding(each.code, replace(finding, crash="", about=None, cause=cause))
        if finding.crash:
            message = f"building the fix of `{names[each.code]}` failed: {finding.crash}"
            yield RuleFinding(CRASHED, Finding(message, finding.location))
    for label, crash in judged.crashes:
        path = crash.location.path
        if path not in program.given or label in active.get(path, ()):  # else the rule is not asked for there
            yield crash


def _given_up(run_results: Iterable[RunResult], but: Collection[str]) -> Iterator[RuleFinding]:
    """A note for each script that was not followed to its end, but for those whose limit is reported elsewhere."""
    told: dict[str, Finding] = {}
    for run_result in run_results:
        if run_result.given_up is not None and run_result.path not in but:
            told.setdefault(run_result.path, run_result.given_up)
    for finding in told.values():
        yield RuleFinding(BUDGET, finding)
