"""Checks a project: paths in, findings out."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.analysis.codebase import Codebase, Source, name_all
from ddl_lint.analysis.entries import (
    Entry,
    console_entries,
    definitions,
    is_notebook,
    left_out,
    may_start,
    unfollowed_entries,
)
from ddl_lint.analysis.installed import InstalledPackages
from ddl_lint.analysis.lines import statement_at
from ddl_lint.analysis.runs import Follower, follow_entries, follow_function, functions_of
from ddl_lint.analysis.view import ProjectView, RunView, project_view
from ddl_lint.finding import Applicability, Finding, Fix
from ddl_lint.frameworks.compile import load_index
from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.console_scripts import console_scripts
from ddl_lint.jobs.hints import LaunchHints, named_configurations, read_hints, starts_processes
from ddl_lint.jobs.json_files import JsonFiles
from ddl_lint.jobs.pinning import PinningFile, pinning_files
from ddl_lint.jobs.versions import Versions
from ddl_lint.program import code
from ddl_lint.program.followed import Program
from ddl_lint.program.trace import Context, Run
from ddl_lint.project import contents
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.project.contents import BUDGET, Contents
from ddl_lint.project.discover import Problem
from ddl_lint.project.inputs import Inputs
from ddl_lint.project.selectors import heaviest
from ddl_lint.project.suppress import known_labels, shown_findings
from ddl_lint.project.surroundings import launch_files, packaging_files, project_root, python_files
from ddl_lint.report import Report
from ddl_lint.rules import Rule, is_shown, rule_packages, select_rules
from ddl_lint.schema import nearest
from ddl_lint.source import Document
from ddl_lint.source.span import Location
from ddl_lint.storage import Storage, stamp, user_storage
from ddl_lint.syntax import Triage, imported_names, in_deep_stack
from ddl_lint.timing import stage

if TYPE_CHECKING:
    from ddl_lint.analysis.ranks.communication import Communication
    from ddl_lint.analysis.ranks.reach import Reach

RULE_CRASHED = "DDL002"


@dataclass
class Memory:
    """What a session keeps from one check to the next."""

    contents: contents.Memory = field(default_factory=contents.Memory)
    triage: Triage | None = None
    follower: Follower | None = None
    installed: InstalledPackages | None = None


def check_project(
    paths: Sequence[Path],
    settings_for: Callable[[Path], Settings],
    rules: Sequence[Rule],
    *,
    overlay: Mapping[str, str] | None = None,
    memory: Memory | None = None,
    storage: Storage | None = None,
    jobs: int = 1,
) -> Report:
    """Check these files as one project.

    Args:
        paths: The files, absolute. Other files of the same project are read where these import them.
        settings_for: The settings of a file; a `ConfigError` becomes a problem and leaves the file out.
        rules: All rules that are installed; the settings choose among them.
        overlay: Path (POSIX) to a text that stands for the file's content.
        memory: What was done in earlier checks of the same project, and need not be done again.
        storage: Where the programs of files are kept from one process to the next; without it they are not.
        jobs: How many processes may work at once where there is much to do. The outcome is the same for all numbers.
    """
    return in_deep_stack(_check, paths, settings_for, rules, overlay or {}, memory or Memory(), storage, jobs)


def _check(
    paths: Sequence[Path],
    settings_for: Callable[[Path], Settings],
    rules: Sequence[Rule],
    overlay: Mapping[str, str],
    memory: Memory,
    storage: Storage | None,
    jobs: int,
) -> Report:
    problems: list[Problem] = []
    inputs = Inputs()
    settings: dict[str, Settings] = {}
    for path in paths:
        try:
            settings[path.as_posix()] = settings_for(path)
        except ConfigError as error:
            problem = Problem("", str(error))
            if problem not in problems:
                problems.append(problem)
    distinct = {id(chosen): chosen for chosen in settings.values()}  # a folder's files share theirs
    chosen_codes = {key: {rule.code for rule in select_rules(rules, chosen)} for key, chosen in distinct.items()}
    active = {path: chosen_codes[id(chosen)] for path, chosen in settings.items()}
    files = Contents(overlay, memory.contents, storage)
    if not settings:
        return Report([], {}, problems, 0)
    inputs.files(_own_models(settings.values()))
    try:
        with stage("models"):
            api = _api(settings.values(), storage)
    except ModelError as error:
        return Report([], {}, [*problems, Problem("", str(error))], len(settings))
    programs: list[Program] = []
    with _room_to_work():
        view = _view(settings, files, api, memory, inputs, jobs, programs)
        found = [*_run_rules(view, rules, active), *_given_up(view), *files.faults]
    with stage("suppressions"):
        shown = _shown(found, files, rules, settings, active)
    report = Report(shown, files.documents, problems, len(settings), programs=programs)
    if files.is_lasting and not overlay and not problems and all(finding.code != RULE_CRASHED for finding in found):
        files.note(inputs)
        inputs.unchanged(memory.installed.looked_at if memory.installed is not None else {})
        report.inputs = inputs
    return report


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
    settings: Mapping[str, Settings],
    files: Contents,
    api: ApiIndex,
    memory: Memory,
    inputs: Inputs,
    jobs: int,
    programs: list[Program],
) -> ProjectView:
    """Follow the runs that start in the checked files; what becomes of each file is added to `programs`."""
    with stage("discover"):
        root, sources, codebase = _codebase(settings, files)
        inputs.tree(root)
        console = _console(codebase, root, inputs)
    with stage("triage"):
        if memory.triage is None or memory.triage.packages != api.packages:
            memory.triage = Triage(api.packages)
        relevant: list[str] = []
        others: dict[str, bytes] = {}
        for path in settings:
            data = files.bytes_of(path)
            if data is not None and files.can_matter(path, memory.triage):
                relevant.append(sources[path].name)
            elif data is not None:
                files.document(path)  # suppression comments and faults of the text are reported for every file
                others[sources[path].name] = data
        relevant.extend(_leading_to(relevant, others, frozenset(entry.module for entry in console)))
        handed = _Handed(codebase, files, memory.triage)
        known = frozenset(relevant)
        relevant.extend(name for name in others if name not in known and handed.to(name))
    followed = frozenset(relevant)
    programs += left_out({path: files.bytes_of(path) for path in settings if sources[path].name not in followed})
    programs += unfollowed_entries(console, followed, codebase)
    if not relevant:
        return project_view([], api, LaunchHints())
    if memory.follower is None or memory.follower.api is not api:
        memory.installed = InstalledPackages(api)
        memory.follower = Follower(api, memory.installed)
    with stage("prepare"):
        files.prepare((codebase.sources[name] for name in relevant), jobs)
    with stage("launch files"):
        launches = launch_files(root)
        configurations = named_configurations(launches, root)
        inputs.files((*launches, *configurations))
        hints = read_hints(launches, configurations)
    json_files = JsonFiles(root, hints.json_options)
    with stage("follow"):
        runs = memory.follower.follow(codebase, relevant, json_files, console, _launching(settings, sources, files))
    programs += memory.follower.programs
    inputs.files(memory.follower.documents)
    with stage("versions"):
        pinning = pinning_files(root)
        inputs.files(file.path for file in pinning)
        versions = _versions(pinning, next(iter(settings.values())).target)
    checked = frozenset(settings)
    return project_view(runs, api, hints, files.documents, codebase.loaded(), versions, checked)


def _versions(pinning: Sequence[PinningFile], target: Mapping[str, str]) -> Versions:
    if not target and not any(file.path.exists() for file in pinning):
        return Versions()
    from ddl_lint.jobs.pins import read_versions  # brings in what can read versions

    return read_versions(pinning, target)


def _launching(paths: Iterable[str], sources: Mapping[str, Source], files: Contents) -> frozenset[str]:
    """The notebooks in which a shell command or a magic starts processes."""
    notebooks = (path for path in paths if is_notebook(path))
    contents = ((path, files.bytes_of(path)) for path in notebooks)
    return frozenset(sources[path].name for path, data in contents if data is not None and starts_processes(data))


def _console(codebase: Codebase, root: Path, inputs: Inputs) -> list[Entry]:
    """The functions that become commands when the project is installed."""
    packaging = packaging_files(root)
    inputs.files(packaging)
    return console_entries(codebase, root, console_scripts(packaging))


def _codebase(paths: Iterable[str], files: Contents) -> tuple[Path, dict[str, Source], Codebase]:
    """The root of the project around these files, and its modules."""
    given = [Path(path) for path in paths]
    root = project_root(given)
    sources = name_all({*given, *python_files(root)}, root)
    return root, sources, Codebase(sources.values(), files.program)


def _leading_to(relevant: Sequence[str], others: Mapping[str, bytes], started: frozenset[str]) -> list[str]:
    """Scripts, and modules of which a function is `started`, that import no framework, but modules of the project that
    do, directly or through others.
    """
    reached = {part for name in relevant for part in name.split(".")}  # any of its folders may be on sys.path
    waiting = {name: imported_names(data) for name, data in others.items()} if reached else {}
    found: list[str] = []
    while True:
        new = [name for name, imports in waiting.items() if imports & reached]
        if not new:
            return [name for name in found if name in started or may_start(others[name])]
        found += new
        for name in new:
            del waiting[name]
            reached.update(name.split("."))


class _Handed:
    """Tells which modules get a framework from another module of the project: `from common import *`."""

    def __init__(self, codebase: Codebase, files: Contents, triage: Triage) -> None:
        self._codebase = codebase
        self._files = files
        self._triage = triage
        self._givers: dict[str, list[Source]] = {}

    def to(self, name: str) -> bool:
        """Whether a module may be handed a framework, directly or through others."""
        seen, waiting = {name}, [name]
        while waiting:
            for giver in self._givers_of(waiting.pop()):
                if self._files.can_matter(giver.path, self._triage):
                    return True
                if giver.name not in seen:
                    seen.add(giver.name)
                    waiting.append(giver.name)
        return False

    def _givers_of(self, name: str) -> list[Source]:
        if name not in self._givers:
            sources = self._codebase.sources
            data = self._files.bytes_of(sources[name].path)
            written = self._triage.handed_on(data) if data is not None else ()
            meant = {self._meant(giver, name) for giver in written}
            self._givers[name] = [sources[each] for each in meant if each is not None and each in sources]
        return self._givers[name]

    def _meant(self, giver: str, importer: str) -> str | None:
        module = giver.lstrip(".")
        level = len(giver) - len(module)
        return self._codebase.relative(module, level, importer) if level else self._codebase.find(module, importer)


def _run_rules(view: ProjectView, rules: Sequence[Rule], active: Mapping[str, set[str]]) -> list[Finding]:
    several = view.of_several_processes
    kinds = view.kinds()
    wanted = frozenset[str]().union(*active.values())
    found: dict[tuple[str, Location], Finding] = {}
    for rule in rules:
        if rule.code not in wanted or not rule.has_check or (rule.info.events and not kinds & rule.info.events):
            continue
        try:
            with stage("imports of rules"):
                check = rule.check
            with stage("rules", rule.name):
                for finding in check(several if rule.info.several_processes else view):
                    found.setdefault((rule.code, finding.location), replace(finding, code=rule.code))
        except Exception as error:
            if os.environ.get("DDL_LINT_DEBUG"):
                traceback.print_exc()
            for crash in _crashes(rule, error, view, [path for path in active if rule.code in active[path]]):
                found.setdefault((RULE_CRASHED + rule.code, crash.location), crash)
    return list(found.values())


def _crashes(rule: Rule, error: Exception, view: ProjectView, paths: Sequence[str]) -> Iterator[Finding]:
    """One finding for each of the files that the rule cannot take.

    They are found by showing it one run after the other; if it only fails on all at once, the first stands for all.
    """
    failed: dict[str, Exception] = {}
    events = rule.info.events
    for run in view.runs:
        if run.run.path in paths and (not events or run.has(*events)):
            try:
                for _ in rule.check(replace(view, runs=(run,))):
                    pass
            except Exception as own:
                failed.setdefault(run.run.path, own)
    for path, reason in (failed or {paths[0]: error}).items():
        message = f"the rule `{rule.name}` failed on this file: {type(reason).__name__}: {reason}"
        yield Finding(message, Location(path, 0, 0), code=RULE_CRASHED)


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
    """The findings that stand in a checked file and that its settings and comments let through."""
    by_code = {rule.code: rule for rule in rules}
    known = known_labels((rule.code, rule.name) for rule in rules)
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in found:
        path = finding.location.path
        if path in settings and finding.code in active[path]:
            by_path[path].append(finding)
    shown: list[Finding] = []
    for path, chosen in settings.items():
        document = files.documents.get(path)
        findings = by_path.get(path, [])
        if document is not None:
            suppressions = files.suppressions(document)
            findings = shown_findings(findings, document, suppressions, chosen, known=known, active=active[path])
        for finding in findings:
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
def _room_to_work() -> Generator[None, None, None]:
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
    root: Path
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
    root, sources, codebase = _codebase([path.as_posix(), *(other.as_posix() for other in others)], files)
    module = codebase.module(sources[path.as_posix()].name)
    if module is None:
        reason = files.faults[0].message if files.faults else "it cannot be read"
        raise TraceError(f"{path}: {reason}")
    console = console_entries(codebase, root, console_scripts(packaging_files(root)))
    return _Project(files, root, codebase, api, module, sources, console)


def _trace(path: Path, settings: Settings, function: str, overlay: Mapping[str, str]) -> Traced:
    from ddl_lint.analysis.ranks.communication import communication  # a check needs neither this nor `reach`

    with _room_to_work():
        project = _open(path, (), settings, overlay)
        module, codebase, api = project.module, project.codebase, project.api
        functions = functions_of(module)
        wanted = functions.get(function)
        if function and wanted is None:
            raise TraceError(f"{path}: {_no_function(module, function, functions)}")
        installed = InstalledPackages(api)
        run: Run | None = None
        runs = follow_entries(codebase, api, module, project.console, installed)
        if wanted is not None:
            runs = [each for each in runs if any(_is_inside(event.context, wanted) for event in each.events)]
        if runs:
            run = runs[0]
        elif wanted is None:
            raise TraceError(f"{path}: {_no_script(project, functions)}")
        if run is None:
            run = follow_function(codebase, api, module, function, installed)
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
        if run is not None and any(event.together for event in run.events):
            found.append(f"`{name}`")
        if len(found) == _MOST_NAMED:
            break
    hint = f", such as {', '.join(found)}" if found else ""
    return f"this file is no script: run by itself, it does nothing. Name a function (PATH::FUNCTION){hint}"


_MOST_NAMED = 4


def _who_runs(paths: Sequence[Path], path: Path, line: int, settings: Settings, overlay: Mapping[str, str]) -> WhoRuns:
    from ddl_lint.analysis.ranks.reach import reach

    with _room_to_work():
        project = _open(path, paths, settings, overlay)
        document = project.files.documents[path.as_posix()]
        found = statement_at(project.module, document, line)
        if found is None:
            return WhoRuns(False, (), project.files.documents)
        watched, installed = frozenset({found.statement}), InstalledPackages(project.api)
        names = {project.sources[script.as_posix()].name for script in paths}
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
