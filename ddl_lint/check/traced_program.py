"""What a question about ranks reads: a file, and the project around it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ddl_lint.analysis.interpreter.project.codebase import Codebase, Source
from ddl_lint.analysis.interpreter.project.entries import Entry, may_start
from ddl_lint.analysis.interpreter.project.installed import InstalledPackages
from ddl_lint.analysis.runs import follow_entries
from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.check.hints import Standing, standing
from ddl_lint.check.pinned_versions import package_versions
from ddl_lint.check.programs import (
    api_models,
    console_commands,
    find_codebase,
    is_launching,
    own_models,
)
from ddl_lint.check.project_files import project_jobs
from ddl_lint.finding import RuleFinding
from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.launch_facts import LaunchFacts, launch_facts
from ddl_lint.jobs.project_jobs import Jobs
from ddl_lint.jobs.settings_files import SettingsFiles
from ddl_lint.jobs.versions import Versions
from ddl_lint.program import code
from ddl_lint.program.events import EventKind
from ddl_lint.program.trace import Run
from ddl_lint.project.config import Settings
from ddl_lint.project.contents import Contents
from ddl_lint.project.inputs import Inputs
from ddl_lint.project.program import ImportGraph
from ddl_lint.project.project_context import projects


class TraceError(Exception):
    """There is nothing to show; `str()` of it says why and what to do."""


@dataclass(frozen=True)
class TracedProject:
    """A project that is read once for all questions about its programs."""

    root: Path
    files: Contents
    codebase: Codebase
    sources: Mapping[str, Source]
    imports: ImportGraph
    console: Sequence[Entry]
    jobs: Jobs
    launch: LaunchFacts
    _apis: dict[tuple[Path, ...], ApiIndex] = field(default_factory=dict[tuple[Path, ...], ApiIndex], kw_only=True)
    """By the models that settings name."""

    def reached(self, scripts: Iterable[str]) -> frozenset[str]:
        """The files of some scripts: themselves, and what they import, directly or through others."""
        here = [script for script in scripts if script in self.sources]
        names = self.imports.reached([self.sources[script].name for script in here])
        known = self.codebase.sources
        return frozenset({*here, *(str(known[name].path) for name in names if name in known)})

    def program(self, path: Path, settings: Settings) -> TracedProgram:
        """One of its files, to be followed as the settings say.

        Raises:
            TraceError: the file cannot be read.
        """
        api = self._api(settings)
        module = self.codebase.module(self.sources[path.as_posix()].name)
        if module is None:
            faults = (fault.finding for fault in self.files.faults)
            reason = next((each.message for each in faults if each.location.path == path.as_posix()), _UNREADABLE)
            raise TraceError(f"{path}: {reason}")
        return TracedProgram(
            self.root,
            self.files,
            self.codebase,
            self.sources,
            self.imports,
            self.console,
            self.jobs,
            self.launch,
            api=api,
            module=module,
            settings=settings,
        )

    def _api(self, settings: Settings) -> ApiIndex:
        models = tuple(own_models([settings]))
        if models not in self._apis:
            try:
                self._apis[models] = api_models([settings])
            except ModelError as error:
                raise TraceError(str(error)) from None
        return self._apis[models]


_UNREADABLE = "it cannot be read"


@dataclass(frozen=True)
class TracedProgram(TracedProject):
    """One file, with the project around it, ready to be followed."""

    api: ApiIndex
    module: code.Module
    settings: Settings

    def follow(
        self,
        module: code.Module,
        installed: InstalledPackages,
        watched: frozenset[code.Statement] = frozenset(),
        crashes: list[RuleFinding] | None = None,
        recorded: Collection[EventKind] = (),
    ) -> list[Run]:
        """The runs that begin in a module of the project, as a check follows them; `watched`, `crashes` and `recorded`
        as in `follow_entries`.
        """
        return follow_entries(
            self.codebase,
            self.api,
            module,
            self.console,
            installed,
            watched,
            crashes,
            self.settings.budget,
            self.launch.launched,
            is_launcher=is_launching(module.path, self.files),
            settings_files=SettingsFiles(self.root, self.launch.jobs),
            recorded=recorded,
        )

    def view(self, run: Run) -> RunView:
        """A run, with what it is looked at with."""
        return RunView(run, self._project_context)

    @cached_property
    def _project_context(self) -> ProjectContext:
        return ProjectContext(self.api, self.codebase, self.launch, self.files.documents, self._versions_of)

    def _versions_of(self, path: str) -> Versions:
        return package_versions(self.root, {path: self.settings.target}, Inputs()).of(path)

    @cached_property
    def standing(self) -> Standing:
        """How the files of the project are used."""
        paths = (source.path for source in self.codebase.sources.values())
        scripts = {path for path in paths if (data := self.files.bytes_of(path)) is not None and may_start(data)}
        known = self.api.packages
        return standing(self.root, self.codebase, self.files, self.jobs, known, scripts)


def open_projects(paths: Iterable[Path], overlay: Mapping[str, str]) -> dict[Path, TracedProject]:
    """The project of each file."""
    return {
        path: project
        for root, members in projects(paths).items()
        for project in [open_project(root, members, overlay)]
        for path in members
    }


def started_files(launch_files: Iterable[Path]) -> frozenset[str]:
    """The files of what some launch files start: their scripts, what these import, and configurations that the launch
    lines name.
    """
    found: set[str] = set()
    for root, files in projects(launch_files).items():
        project = open_project(root, [], {})
        hosts = {path.as_posix() for path in files}
        launches = [launch for launch in project.jobs.launches if launch.host.path in hosts]
        found |= project.reached(filter(None, (launch.script for launch in launches)))
        for launch in launches:
            words = (word.value.rpartition("=")[2] for word in launch.command.words if word.value is not None)
            named = (project.jobs.find(each, launch.host.path, launch.location.start) for each in words if each)
            found |= {file.path for file in named if file is not None}
    return frozenset(found)


def open_program(path: Path, others: Sequence[Path], settings: Settings, overlay: Mapping[str, str]) -> TracedProgram:
    """Read a file of a project, and `others` that may be outside of it.

    Raises:
        TraceError: the file cannot be read.
    """
    root, members = next((root, each) for root, each in projects([path, *others]).items() if path in each)
    return open_project(root, members, overlay).program(path, settings)


def open_project(root: Path, members: Sequence[Path], overlay: Mapping[str, str]) -> TracedProject:
    """The project in a folder, of which some files are to be traced."""
    files = Contents(overlay)
    sources, codebase = find_codebase(root, members, files)
    jobs = project_jobs(root, files, sources, ())
    graph = ImportGraph(codebase, files)
    return TracedProject(
        root, files, codebase, sources, graph, console_commands(codebase, root), jobs, launch_facts(jobs)
    )
