"""Checks a project: paths in, findings out."""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.analysis.interpreter.codebase import Codebase, Source, name_all
from ddl_lint.analysis.interpreter.entries import (
    Entry,
    console_entries,
    definitions,
    is_notebook,
    left_out,
    unfollowed_entries,
)
from ddl_lint.analysis.interpreter.installed import InstalledPackages
from ddl_lint.analysis.interpreter.interpreter import FOLLOWING
from ddl_lint.analysis.runs import Analyzer, follow_entries, follow_function, functions_of
from ddl_lint.analysis.syntactic.lines import statement_at
from ddl_lint.analysis.view import ProjectView, RunView, project_view
from ddl_lint.check.file_settings import FileSettings
from ddl_lint.check.report import Report
from ddl_lint.crash import CRASHED, NOT_OURS, contained, crash
from ddl_lint.finding import Applicability, Evidence, Finding, Fix
from ddl_lint.frameworks.compile import load_index
from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.console_scripts import console_scripts
from ddl_lint.jobs.hints import LaunchHints, named_configurations, read_hints, starts_processes
from ddl_lint.jobs.json_files import JsonFiles
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.jobs.pinning import PinningFile, pinning_files
from ddl_lint.jobs.versions import Versions
from ddl_lint.program import code
from ddl_lint.program.followed import Coverage
from ddl_lint.program.trace import Context, Run
from ddl_lint.project import contents
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.project.contents import BUDGET, Contents
from ddl_lint.project.discover import LeftOut, Problem
from ddl_lint.project.inputs import Inputs
from ddl_lint.project.program import ImportGraph, Program, Relevance, callers
from ddl_lint.project.selectors import heaviest
from ddl_lint.project.suppress import known_labels, shown_findings
from ddl_lint.project.surroundings import (
    launch_files,
    notebooks,
    package_root,
    packaging_files,
    projects,
    python_files,
)
from ddl_lint.registry.rules import Rule, is_shown, rule_packages
from ddl_lint.registry.schema import nearest
from ddl_lint.source import Document
from ddl_lint.source.span import Location
from ddl_lint.storage import Storage, stamp, user_storage
from ddl_lint.syntax import Triage, in_deep_stack
from ddl_lint.timing import stage

if TYPE_CHECKING:
    from ddl_lint.analysis.ranks.communication import Communication
    from ddl_lint.analysis.ranks.reach import Reach


@dataclass
class Memory:
    """What a session keeps from one check to the next."""

    contents: contents.Memory = field(default_factory=contents.Memory)
    triage: Triage | None = None
    graphs: dict[Path, ImportGraph] = field(default_factory=lambda: {})
    """Root of a project to who imports whom in it."""
    followed: dict[Path, _Followed] = field(default_factory=lambda: {})
    """Root of a project to what its runs are followed by."""


@dataclass(frozen=True)
class _Followed:
    """What follows the runs of a project, and what it asks about installed packages."""

    analyzer: Analyzer
    installed: InstalledPackages


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
    found: list[Finding] = []
    programs: list[Coverage] = []
    with _analysis_limits():
        for root, members in projects(map(Path, given)).items():
            is_left_out = LeftOut(root, settings_for)
            program = _program(root, members, files, applied, is_left_out, memory, alone=alone)
            inputs.tree(root)
            chosen = [applied.settings[path] for path in program.checked]
            inputs.files(_own_models(chosen))
            try:
                with stage("models"):
                    api = _api(chosen, storage)
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
        told = [_told(finding, given) for finding in found]
        shown = [
            finding
            for finding in _shown(told, files, rules, applied.settings, applied.active)
            if finding.location.path in given or any(each.location.path in given for each in finding.evidence)
        ]
    report = Report(shown, files.documents, problems, len(given), programs=programs)
    if files.is_lasting and not overlay and not problems and all(finding.code != CRASHED for finding in found):
        files.note(inputs)
        for followed in memory.followed.values():
            inputs.unchanged(followed.installed.looked_at)
        report.inputs = inputs
    return report


def _program(
    root: Path,
    members: Sequence[Path],
    files: Contents,
    applied: FileSettings,
    is_left_out: LeftOut,
    memory: Memory,
    *,
    alone: bool,
) -> Program:
    """The program of some files of a project."""
    with stage("discover"):
        sources, codebase = _codebase(root, members, files)
    given = [path.as_posix() for path in members]
    with stage("callers"):
        graph = memory.graphs[root] = ImportGraph(codebase, files, memory.graphs.get(root))
        found = () if alone else callers([sources[path] for path in given], root, graph)
        context = applied.take_others((source.path for source in found), is_left_out)
    return Program(root, given, context, sources, codebase, graph)


def _own_models(settings: Iterable[Settings]) -> list[Path]:
    """The API models that the settings name."""
    return sorted({model for chosen in settings for model in chosen.models})


def _api(settings: Iterable[Settings], storage: Storage | None = None) -> ApiIndex:
    shipped = sorted(file for folder in rule_packages().values() for file in (folder / "models").glob("*.yaml"))
    own = _own_models(settings)
    stamps = tuple(stamp(str(file)) for file in (*shipped, *own))
    return _loaded(tuple(shipped), tuple(own), stamps, (storage or user_storage()).folder)


@lru_cache(maxsize=1)  # an index is large, and projects that are checked in turn seldom differ in their models
def _loaded(
    shipped: tuple[Path, ...], own: tuple[Path, ...], stamps: tuple[object, ...], folder: Path | None
) -> ApiIndex:
    del stamps  # they tell whether a model has changed since
    return load_index(shipped, own, Storage(folder))


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
    console = _console(codebase, root)
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
    coverage = _left_out(program, relevant, console, files)
    if not relevant:
        return project_view([], api, LaunchHints(), coverage=coverage)
    followed = memory.followed.get(root)
    if followed is None or followed.analyzer.api is not api:
        installed = InstalledPackages(api)
        followed = memory.followed[root] = _Followed(Analyzer(api, installed), installed)
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
        launching = _launching(program, files)
        runs = followed.analyzer.run(codebase, relevant, json_files, console, launching)
    files.faults += dict.fromkeys(followed.analyzer.crashes)  # a script's statements are followed as a module's, too
    coverage += followed.analyzer.programs
    inputs.files(followed.analyzer.documents)
    modules = codebase.loaded()
    with stage("versions"):
        targets = {module.path: settings.get(module.path, settings[program.given[0]]).target for module in modules}
        versions = _all_versions(root, targets, inputs)
    return project_view(runs, api, hints, files.documents, modules, versions, frozenset(program.given), coverage)


def _all_versions(root: Path, targets: Mapping[str, Mapping[str, str]], inputs: Inputs) -> dict[str, Versions]:
    """The versions with which each package of a project runs: what it says itself, then what those around it say.

    `targets` are what the settings of its files say, by path.
    """
    found: dict[str, Versions] = {}
    for path, target in targets.items():
        package = package_root(Path(path).parent, root)
        if package.as_posix() not in found:
            around = [folder for folder in (package, *package.parents) if folder.is_relative_to(root)]
            pinning = [file for folder in around for file in pinning_files(folder)]
            inputs.files(file.path for file in pinning)
            found[package.as_posix()] = _versions(pinning, target)
    return found


def _versions(pinning: Sequence[PinningFile], target: Mapping[str, str]) -> Versions:
    if not target and not any(file.path.exists() for file in pinning):
        return Versions()
    from ddl_lint.jobs.pins import read_versions  # brings in what can read versions

    return read_versions(pinning, target)


def _console(codebase: Codebase, root: Path) -> list[Entry]:
    """The functions that become commands when the project is installed."""
    return console_entries(codebase, root, console_scripts(packaging_files(root)))


def _left_out(program: Program, relevant: Iterable[str], console: Sequence[Entry], files: Contents) -> list[Coverage]:
    """What is told of the given files that are not followed, and of entries that cannot be."""
    followed = frozenset(relevant)
    others = (path for path in program.given if program.sources[path].name not in followed)
    return [
        *left_out({path: files.bytes_of(path) for path in others}),
        *unfollowed_entries(console, followed, program.codebase),
    ]


def _launching(program: Program, files: Contents) -> frozenset[str]:
    """The notebooks in which a shell command or a magic starts processes."""
    contents = ((path, files.bytes_of(path)) for path in program.checked if is_notebook(path))
    found = (path for path, data in contents if data is not None and starts_processes(data))
    return frozenset(program.sources[path].name for path in found)


def _codebase(root: Path, given: Iterable[Path], files: Contents) -> tuple[dict[str, Source], Codebase]:
    """The files of a project, with those that are given, and its modules."""
    sources = name_all({*given, *python_files(root), *notebooks(root)}, root)
    return sources, Codebase(sources.values(), files.program)


def _run_rules(view: ProjectView, rules: Sequence[Rule], active: Mapping[str, set[str]]) -> list[Finding]:
    several = view.of_several_processes
    kinds = view.kinds()
    wanted = frozenset[str]().union(*active.values())
    found: dict[tuple[str, Location], Finding] = {}
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


def _found_by(rule: Rule, view: ProjectView, paths: Sequence[str]) -> Iterator[Finding]:
    """What a rule finds. Where it fails, that is told for each of the files that it cannot take, and the rule is run
    on all others.

    They are found by showing it one run after the other; if it only fails on all at once, the first stands for all.
    """
    failed: dict[str, Finding] = {}
    try:
        yield from _checked(rule, view)
    except NOT_OURS:
        raise
    except BaseException as error:
        failed[paths[0]] = crash(f"the rule `{rule.name}`", error, Location(paths[0], 0, 0))
    else:
        return
    alone: list[Finding] = []
    again: list[Finding] = []
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


def _checked(rule: Rule, view: ProjectView) -> Iterator[Finding]:
    with stage("imports of rules"):
        check = rule.check
    with stage("rules", rule.name):
        for finding in check(view):
            yield replace(finding, code=rule.code, crash="")
            if finding.crash:
                message = f"building the fix of `{rule.name}` failed: {finding.crash}"
                yield Finding(message, finding.location, code=CRASHED)


def _told(finding: Finding, checked: Collection[str]) -> Finding:
    """A finding where it is shown: a fault of ours in a file that is only imported is told in one that is checked."""
    if finding.code != CRASHED or finding.location.path in checked:
        return finding
    evidence = (Evidence("it was at work here", finding.location), *finding.evidence)
    return replace(finding, location=Location(next(iter(checked)), 0, 0), evidence=evidence)


def _given_up(view: ProjectView) -> Iterator[Finding]:
    """A note for each script that was not followed to its end."""
    for path in dict.fromkeys(run.run.path for run in view.scripts if run.exhausted):
        message = "the program was not followed to its end, for it takes too many steps: what comes late is not checked"
        yield Finding(message, Location(path, 0, 0), code=BUDGET)


def _shown(
    found: Iterable[Finding],
    files: Contents,
    rules: Sequence[Rule],
    settings: Mapping[str, Settings],
    active: Mapping[str, set[str]],
) -> list[Finding]:
    """The findings that the settings and comments of their files let through."""
    by_code = {rule.code: rule for rule in rules}
    known = known_labels((rule.code, rule.name) for rule in rules)
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in found:
        path = finding.location.path
        if path in settings and finding.code in active[path]:
            by_path[path].append(finding)
    shown: list[Finding] = []
    for path in sorted(settings, key=Path):
        chosen, document = settings[path], files.documents.get(path)
        findings = by_path.get(path, [])
        crashes: list[Finding] = []
        with contained(crashes, "reading the suppression comments", Location(path, 0, 0)):
            if document is not None:
                suppressions = files.suppressions(document)
                findings = shown_findings(findings, document, suppressions, chosen, known=known, active=active[path])
        for finding in (*findings, *(each for each in crashes if CRASHED in active[path])):
            rule = by_code[finding.code]
            if not is_shown(rule, finding, chosen):
                continue
            shown.append(
                replace(
                    finding,
                    name=rule.name,
                    severity=rule.severity(chosen, finding.severity),
                    confidence=finding.confidence or rule.info.confidence,
                    symptom=finding.symptom or rule.info.symptom,
                    fix_pattern=finding.fix_pattern or rule.info.fix_pattern,
                    help=finding.help or rule.info.fix.advice,
                    fix=_named(finding.fix, rule, chosen),
                    unfixable=finding.unfixable or ("" if finding.fix else rule.info.fix.reason_for_none),
                )
            )
    return shown


def _named(fix: Fix | None, rule: Rule, settings: Settings) -> Fix | None:
    """A fix with the studies' name of what it does, and as safe as the settings say."""
    if fix is None:
        return None
    fix = replace(fix, pattern=fix.pattern or rule.info.fix_pattern)
    if heaviest(settings.unfixable, rule.code, rule.name) >= 0:
        return replace(fix, applicability=Applicability.DISPLAY_ONLY, reason="the configuration calls it `unfixable`")
    safe = heaviest(settings.extend_safe_fixes, rule.code, rule.name)
    unsafe = heaviest(settings.extend_unsafe_fixes, rule.code, rule.name)
    if fix.applicability is Applicability.UNSAFE and safe > unsafe:
        return replace(fix, applicability=Applicability.SAFE, reason="")
    if fix.applicability is Applicability.SAFE and unsafe >= max(safe, 0):
        return replace(fix, applicability=Applicability.UNSAFE, reason="the configuration says so")
    return fix


@contextmanager
def _analysis_limits() -> Generator[None, None, None]:
    """Our passes recurse as deeply as the program nests (the thread's stack is large enough) and make many objects."""
    limit, thresholds = sys.getrecursionlimit(), gc.get_threshold()
    sys.setrecursionlimit(max(limit, 20_000))
    gc.set_threshold(50_000, 20, 100)  # programs are many small objects that live: collecting often finds nothing
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        gc.set_threshold(*thresholds)


# --- questions about ranks --------------------------------------------------------------------------------------------


class TraceError(Exception):
    """There is nothing to show; `str()` of it says why and what to do."""


@dataclass(frozen=True)
class Traced:
    """What ranks do, and the documents that it points into, by path; `faults` are the syntax errors on the way."""

    communication: Communication
    documents: Mapping[str, Document]
    faults: list[Finding]


@dataclass(frozen=True)
class WhoRuns:
    """For each run that gets to a line, which ranks do; and the documents that it points into, by path.

    `is_code` is false for a line without a statement.
    """

    is_code: bool
    runs: tuple[Reach, ...]
    documents: Mapping[str, Document]


def trace(path: Path, settings: Settings, function: str = "", *, overlay: Mapping[str, str] | None = None) -> Traced:
    """What the ranks do together when they run a script.

    With a `function` (or `Class.method`), only what they do in it: as the script calls it if the file is a script that
    gets there, else with unknown arguments.

    Args:
        path: The file, absolute.
        settings: What is configured for it.
        overlay: As for `check_project`.

    Raises:
        TraceError: the file is no script, cannot be read, or has no such function.
    """
    return in_deep_stack(_trace, path, settings, function, overlay or {})


def who_runs(
    paths: Sequence[Path], path: Path, line: int, settings: Settings, *, overlay: Mapping[str, str] | None = None
) -> WhoRuns:
    """Which ranks execute a line of a file, in each run of these scripts that gets there, and why the others do not.

    Where no script gets there, the function around the line is followed by itself. There are no runs for a line without
    code, and for one that nothing gets to.

    Args:
        paths: The scripts, absolute.
        path: The file with the line, absolute.
        line: Counted from 1.
        settings: What is configured for the file.
        overlay: As for `check_project`.

    Raises:
        TraceError: the file cannot be read.
    """
    return in_deep_stack(_who_runs, paths, path, line, settings, overlay or {})


@dataclass(frozen=True)
class _Project:
    """One file, and the project around it."""

    files: Contents
    codebase: Codebase
    api: ApiIndex
    module: code.Module
    sources: Mapping[str, Source]
    console: Sequence[Entry]

    def view(self, runs: Sequence[Run]) -> ProjectView:
        return project_view(map(RunView, runs), self.api, LaunchHints(), self.files.documents)


def _open(path: Path, others: Sequence[Path], settings: Settings, overlay: Mapping[str, str]) -> _Project:
    files = Contents(overlay)
    try:
        api = _api([settings])
    except ModelError as error:
        raise TraceError(str(error)) from None
    root, members = next((root, each) for root, each in projects([path, *others]).items() if path in each)
    sources, codebase = _codebase(root, members, files)
    module = codebase.module(sources[path.as_posix()].name)
    if module is None:
        reason = files.faults[0].message if files.faults else "it cannot be read"
        raise TraceError(f"{path}: {reason}")
    return _Project(files, codebase, api, module, sources, _console(codebase, root))


def _trace(path: Path, settings: Settings, function: str, overlay: Mapping[str, str]) -> Traced:
    from ddl_lint.analysis.ranks.communication import communication  # a check needs neither this nor `reach`

    with _analysis_limits():
        project = _open(path, (), settings, overlay)
        module, codebase, api = project.module, project.codebase, project.api
        functions = functions_of(module)
        wanted = functions.get(function)
        if function and wanted is None:
            raise TraceError(f"{path}: {_no_function(module, function, functions)}")
        installed = InstalledPackages(api)
        run: Run | None = None
        runs = follow_entries(codebase, api, module, project.console, installed, crashes=project.files.faults)
        if wanted is not None:
            runs = [each for each in runs if any(_is_inside(event.context, wanted) for event in each.events)]
        if runs:
            run = runs[0]
        elif wanted is None:
            raise TraceError(f"{path}: {_no_script(project, functions)}")
        if run is None:
            run = follow_function(codebase, api, module, function, installed, crashes=project.files.faults)
            assert run is not None
        view = project.view([run])
        return Traced(communication(view, view.runs[0], wanted), project.files.documents, project.files.faults)


def _is_inside(context: Context, function: code.Function) -> bool:
    return any(node.function is function for node in context.chain())


def _no_function(module: code.Module, name: str, functions: Mapping[str, code.Function]) -> str:
    methods = [known for known in functions if known.startswith(f"{name}.")]
    if methods:
        return f"`{name}` is a class; name one of its methods, such as `{methods[0]}`"
    if any(statement.name == name for statement in definitions(module.body)):
        return f"`{name}` is a class without methods"
    by_last = [known for known in functions if known.rpartition(".")[2] == name]
    hint = f" (did you mean `{by_last[0]}`?)" if by_last else nearest(name, functions)
    return f"there is no function `{name}`{hint}"


def _no_script(project: _Project, functions: Mapping[str, code.Function]) -> str:
    """A message that names functions worth a look."""
    found: list[str] = []
    for name in functions:
        run = follow_function(project.codebase, project.api, project.module, name)
        if run is not None and any(event.collective_when for event in run.events):
            found.append(f"`{name}`")
        if len(found) == _MOST_NAMED:
            break
    hint = f", such as {', '.join(found)}" if found else ""
    return f"this file is no script: run by itself, it does nothing. Name a function (PATH::FUNCTION){hint}"


_MOST_NAMED = 4


def _who_runs(paths: Sequence[Path], path: Path, line: int, settings: Settings, overlay: Mapping[str, str]) -> WhoRuns:
    from ddl_lint.analysis.ranks.reach import reach

    with _analysis_limits():
        project = _open(path, paths, settings, overlay)
        document = project.files.documents[path.as_posix()]
        found = statement_at(project.module, document, line)
        if found is None:
            return WhoRuns(False, (), project.files.documents)
        watched, installed = frozenset({found.statement}), InstalledPackages(project.api)
        sources = (project.sources.get(script.as_posix()) for script in paths)
        names = {source.name for source in sources if source is not None}  # the others are of another project
        modules = [module for module in map(project.codebase.module, names) if module is not None]
        begun = (follow_entries(project.codebase, project.api, each, project.console, installed, watched)
                 for each in sorted(modules, key=lambda module: module.name))  # fmt: skip
        runs = [run for each in begun for run in each]
        if found.function and not any(RunView(run).has("reach") for run in runs):
            alone = follow_function(project.codebase, project.api, project.module, found.function, installed, watched)
            runs = [alone] if alone is not None else []
        view = project.view(runs)
        reached = (reach(view, run) for run in view.runs)
        return WhoRuns(True, tuple(each for each in reached if each is not None), project.files.documents)
