"""Checks a project: paths in, findings out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ddl_lint.analysis.interpreter.installed import InstalledPackages
from ddl_lint.analysis.interpreter.interpreter import FOLLOWING
from ddl_lint.analysis.runs import Follower
from ddl_lint.analysis.view import ProjectView, RunView, project_view
from ddl_lint.check.diagnostics import diagnostics
from ddl_lint.check.file_settings import FileSettings
from ddl_lint.check.limits import analysis_limits
from ddl_lint.check.memory import Followed, Memory
from ddl_lint.check.programs import (
    api_models,
    console_commands,
    find_program,
    launching_notebooks,
    not_followed,
    own_models,
    package_versions,
)
from ddl_lint.check.report import Report
from ddl_lint.crash import CRASHED, NOT_OURS, contained, crash
from ddl_lint.finding import Finding, RuleFinding
from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.hints import LaunchHints, named_configurations, read_hints
from ddl_lint.jobs.json_files import JsonFiles
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.program.followed import Coverage
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.project.contents import BUDGET, Contents
from ddl_lint.project.discover import LeftOut, Problem
from ddl_lint.project.inputs import Inputs
from ddl_lint.project.program import Program, Relevance
from ddl_lint.project.surroundings import (
    launch_files,
    package_root,
    packaging_files,
    projects,
)
from ddl_lint.registry.rules import Rule
from ddl_lint.source.span import Location
from ddl_lint.storage import Storage
from ddl_lint.syntax import Triage, in_deep_stack
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
) -> Report:
    """Check these files, those of each project by themselves: what a check of all of their projects would find in them,
    or somewhere else for a reason that lies in them.

    Args:
        paths: The files, absolute. Other files of their projects are read where they import these, or these them.
        settings_for: The settings of a file; a `ConfigError` becomes a problem and leaves the file out.
        rules: All rules that are installed; the settings choose among them.
        overlay: Path (POSIX) to a text that stands for the file's content.
        memory: What was done in earlier checks of the same files, and need not be done again.
        storage: Where the programs of files are kept from one process to the next; without it they are not.
        jobs: How many processes may work at once where there is much to do. The outcome is the same for all numbers.
        alone: Leave out who imports these files, for an answer that comes sooner and may lack something.
    """
    return in_deep_stack(_check, paths, settings_for, rules, overlay or {}, memory or Memory(), storage, jobs, alone)


def _check(
    paths: Sequence[Path],
    settings_for: Callable[[Path], Settings],
    rules: Sequence[Rule],
    overlay: Mapping[str, str],
    memory: Memory,
    storage: Storage | None,
    jobs: int,
    alone: bool,
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
    given = dict.fromkeys(applied.settings)
    files = Contents(overlay, memory.contents, storage)
    found: list[RuleFinding] = []
    programs: list[Coverage] = []
    with analysis_limits():
        for root, members in projects(map(Path, given)).items():
            is_left_out = LeftOut(root, settings_for)
            program = find_program(root, members, files, applied, is_left_out, memory, alone=alone)
            inputs.tree(root)
            chosen = [applied.settings[path] for path in program.checked]
            inputs.files(own_models(chosen))
            try:
                with stage("models"):
                    api = api_models(chosen, storage)
            except ModelError as error:
                problems.append(Problem("", str(error)))
                continue
            view = _view(program, applied.settings, files, api, memory, inputs, jobs)
            programs += view.coverage
            seen = [*program.checked, *applied.take_others(view.modules, is_left_out)]
            found += [*_run_rules(view, rules, {path: applied.active[path] for path in seen}), *_given_up(view)]
            inputs.files(is_left_out.looked_at())
    found += files.faults
    with stage("suppressions"):
        shown = diagnostics(found, given, files, rules, applied)
    report = Report(shown, files.documents, problems, len(given), programs=programs)
    if files.is_lasting and not overlay and not problems and all(finding.code != CRASHED for finding in found):
        files.note(inputs)
        for followed in memory.followed.values():
            inputs.unchanged(followed.installed.looked_at)
        report.inputs = inputs
    return report


def _view(
    program: Program,
    settings: Mapping[str, Settings],
    files: Contents,
    api: ApiIndex,
    memory: Memory,
    inputs: Inputs,
    jobs: int,
) -> ProjectView:
    """Follow the runs that start in the files of a program."""
    root, sources, codebase = program.root, program.sources, program.codebase
    console = console_commands(codebase, root)
    inputs.files(packaging_files(root))
    with stage("triage"):
        if memory.triage is None or memory.triage.packages != api.packages:
            memory.triage = Triage(api.packages)
        started = frozenset(entry.module for entry in console)
        relevance = Relevance(codebase, program.graph, files, memory.triage, started)
        relevant = [sources[path].name for path in program.checked if relevance.of(sources[path].name)]
        for path in program.given:
            if files.bytes_of(path) is not None:
                files.document(path)  # suppression comments and faults of the text are reported for every file
    coverage = not_followed(program, relevant, console, files)
    if not relevant:
        return project_view([], api, LaunchHints(), coverage=coverage)
    followed = memory.followed.get(root)
    if followed is None or followed.follower.api is not api:
        installed = InstalledPackages(api)
        followed = memory.followed[root] = Followed(Follower(api, installed), installed)
    start = Location(program.given[0], 0, 0)
    with stage("prepare"), contained(files.faults, "lowering the program", start):
        files.prepare((codebase.sources[name] for name in relevant), jobs)
    with stage("launch files"):
        launches = launch_files(root)
        configurations = named_configurations(launches, root)
        inputs.files((*launches, *configurations))
        scripts = LaunchPaths(map(Path, sources), lambda folder: package_root(folder, root))
        hints = read_hints(launches, root, scripts)
    json_files = JsonFiles(root, hints.json_options)
    runs: list[RunView] = []
    with stage("follow"), contained(files.faults, FOLLOWING, start):
        launching = launching_notebooks(program, files)
        runs = followed.follower.follow(codebase, relevant, json_files, console, launching)
    files.faults += dict.fromkeys(followed.follower.crashes)  # a script's statements are followed as a module's, too
    coverage += followed.follower.programs
    inputs.files(followed.follower.documents)
    modules = codebase.loaded()
    with stage("versions"):
        targets = {module.path: settings.get(module.path, settings[program.given[0]]).target for module in modules}
        versions = package_versions(root, targets, inputs)
    return project_view(runs, api, hints, files.documents, modules, versions, frozenset(program.given), coverage)


def _run_rules(view: ProjectView, rules: Sequence[Rule], active: Mapping[str, set[str]]) -> list[RuleFinding]:
    several = view.of_several_processes
    kinds = view.kinds()
    wanted = frozenset[str]().union(*active.values())
    found: dict[tuple[str, Location], RuleFinding] = {}
    for rule in rules:
        if rule.code not in wanted or not rule.has_check or (rule.info.events and not kinds & rule.info.events):
            continue
        for finding in _found_by(
            rule,
            several if rule.info.several_processes else view,
            [path for path in active if rule.code in active[path]],
        ):
            kind = CRASHED + rule.code if finding.code == CRASHED else rule.code
            found.setdefault((kind, finding.location), finding)
    return list(found.values())


def _found_by(rule: Rule, view: ProjectView, paths: Sequence[str]) -> Iterator[RuleFinding]:
    """What a rule finds. Where it fails, that is told for each of the files that it cannot take, and the rule is run
    on all others.

    They are found by showing it one run after the other; if it only fails on all at once, the first stands for all.
    """
    failed: dict[str, RuleFinding] = {}
    try:
        yield from _checked(rule, view)
    except NOT_OURS:
        raise
    except BaseException as error:
        failed[paths[0]] = crash(f"the rule `{rule.name}`", error, Location(paths[0], 0, 0))
    else:
        return
    alone: list[RuleFinding] = []
    again: list[RuleFinding] = []
    events = rule.info.events
    for run in view.runs:
        if not events or run.has(*events):
            with contained(alone, f"the rule `{rule.name}`", Location(run.run.path, 0, 0)):
                for _ in _checked(rule, replace(view, runs=(run,))):
                    pass
    if alone:
        failed = {each.location.path: each for each in reversed(alone)}
        with contained(again, f"the rule `{rule.name}`", Location(paths[0], 0, 0)):
            yield from _checked(rule, replace(view, runs=tuple(run for run in view.runs if run.run.path not in failed)))
    yield from again
    off = (view.checked or frozenset()).difference(paths)  # in these files nobody asks for the rule
    yield from (each for path, each in failed.items() if path not in off)


def _checked(rule: Rule, view: ProjectView) -> Iterator[RuleFinding]:
    with stage("imports of rules"):
        check = rule.check
    with stage("rules", rule.name):
        for finding in check(view):
            yield RuleFinding(rule.code, replace(finding, crash=""))
            if finding.crash:
                message = f"building the fix of `{rule.name}` failed: {finding.crash}"
                yield RuleFinding(CRASHED, Finding(message, finding.location))


def _given_up(view: ProjectView) -> Iterator[RuleFinding]:
    """A note for each script that was not followed to its end."""
    for path in dict.fromkeys(run.run.path for run in view.scripts if run.exhausted):
        message = "the program was not followed to its end, for it takes too many steps: what comes late is not checked"
        yield RuleFinding(BUDGET, Finding(message, Location(path, 0, 0)))
