"""What rules see of a project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Concatenate, ParamSpec, TypeVar

from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.hints import LaunchHints
from ddl_lint.jobs.versions import Versions
from ddl_lint.program import code
from ddl_lint.program.events import EventKind
from ddl_lint.program.followed import Coverage
from ddl_lint.program.heap import Heap
from ddl_lint.program.trace import Event, Run, Spelling
from ddl_lint.program.values import Const
from ddl_lint.source import Document
from ddl_lint.source.span import Location
from ddl_lint.timing import stage

_Answer = TypeVar("_Answer")
_P = ParamSpec("_P")


@dataclass(eq=False)
class RunView:
    """One run, with its events by kind."""

    run: Run
    modules: frozenset[str] = frozenset()
    """The names of the modules that the run has looked into, with all that these import."""

    _by_kind: dict[str, list[Event]] = field(default_factory=lambda: defaultdict(list))
    _answers: dict[object, Any] = field(default_factory=dict[object, Any], repr=False)

    def once(
        self, question: Callable[Concatenate[RunView, _P], _Answer], *facts: _P.args, **more: _P.kwargs
    ) -> _Answer:
        """The answer to a question about the run that several rules have, or that is asked again after a change
        elsewhere; it is found once. `facts` must always be the same ones.
        """
        if question not in self._answers:
            with stage("questions", _name(question)):
                self._answers[question] = question(self, *facts, **more)
        return self._answers[question]

    def __post_init__(self) -> None:
        for event in self.run.events:
            self._by_kind[event.kind].append(event)

    @property
    def is_script(self) -> bool:
        """Whether this run starts where somebody starts the program; else its parameters are unknown."""
        return self.run.kind == "script"

    @property
    def exhausted(self) -> bool:
        """Whether the budget ended before the run: what is absent may yet come."""
        return self.run.exhausted

    @property
    def heap(self) -> Heap:
        """What is true of objects at the end of the run; `heap.at(event.order)` when an event happened."""
        return self.run.heap

    @property
    def all_events(self) -> list[Event]:
        """All events in order."""
        return self.run.events

    def events(self, *kinds: EventKind) -> list[Event]:
        """The events of these kinds, in order."""
        if len(kinds) == 1:
            return self._by_kind.get(kinds[0], [])
        found = [events for kind in kinds for events in [self._by_kind.get(kind)] if events]
        if len(found) < 2:
            return found[0] if found else []
        return sorted((event for events in found for event in events), key=lambda event: event.order)

    def spellings(self, path: str | None = None) -> Iterator[Spelling]:
        """How the program spells ranks and what feeds the training, in one file or in all: what modules bind when they
        are imported, then what the run binds.
        """
        run = self.run
        modules = run.in_modules if path is None else {path: run.in_modules.get(path, ())}
        for module, spellings in modules.items():
            if module != run.path or not self.is_script:
                yield from spellings
        yield from (each for each in run.spellings if path in (None, each.path))

    def groups(self) -> list[Event]:
        """Where default groups of more than one process are created."""
        return [event for event in self.events("init_process_group") if event.operands.get("world_size") != Const(1)]

    def has(self, *kinds: EventKind) -> bool:
        """Whether there is an event of one of these kinds."""
        return any(self._by_kind.get(kind) for kind in kinds)

    def providers(self, *facilities: str) -> Iterator[Event]:
        """Events that set up or take care of one of these facilities."""
        wanted = frozenset(facilities)
        return (event for event in self.run.events if event.provides & wanted)

    def provides(self, *facilities: str) -> bool:
        """Whether something in the run sets up or takes care of one of these facilities."""
        return any(True for _ in self.providers(*facilities))


@dataclass(frozen=True)
class ProjectView:
    """All runs of a project, the API models, what its launch files hint at, the texts and programs of its files, and
    with which versions of packages it runs."""

    runs: tuple[RunView, ...]
    api: ApiIndex
    launch: LaunchHints
    documents: Mapping[str, Document] = field(default_factory=dict[str, Document])
    modules: Mapping[str, code.Module] = field(default_factory=dict[str, code.Module])
    versions: Mapping[str, Versions] = field(default_factory=dict[str, Versions])
    """Folder of a package of the project to the versions of others' packages that it runs with."""

    checked: frozenset[str] | None = None
    """The files whose findings are asked for; None for all."""

    coverage: Sequence[Coverage] = ()
    """What was followed from where, and what was not."""

    _answers: dict[object, Any] = field(default_factory=dict[object, Any], init=False, repr=False, compare=False)
    _parts: dict[str, ProjectView] = field(
        default_factory=dict[str, "ProjectView"], init=False, repr=False, compare=False
    )

    def once(self, question: Callable[[ProjectView], _Answer]) -> _Answer:
        """The answer to a question that several rules have about the project; it is found once."""
        if question not in self._answers:
            with stage("questions", _name(question)):
                self._answers[question] = question(self)
        return self._answers[question]

    def program_of(self, run: RunView) -> ProjectView:
        """The part of the project that has a say in what is found in a run: the runs that start in its module or have
        looked into it, and the modules that these know. Two scripts that merely share a library are two programs.

        What a module imports is there as text; what becomes of that where this run does not go is not its business.
        """
        return self._knowing(run.run.module)

    def programs_with(self, location: Location) -> ProjectView:
        """The part of the project that a change of a file concerns: all runs that have looked into it, and the modules
        that these know. All of the project where it is no file of the program.
        """
        module = self.modules.get(location.path)
        return self if module is None else self._knowing(module.name)

    def _knowing(self, name: str) -> ProjectView:
        """What the runs that have looked into a module see of the project."""
        if name not in self._parts:
            runs = tuple(self.once(_by_module).get(name, ()))
            known = frozenset((name,)).union(*{run.modules for run in runs})
            modules = {path: module for path, module in self.modules.items() if module.name in known}
            is_all = len(runs) == len(self.runs) and len(modules) == len(self.modules)
            self._parts[name] = self if is_all else replace(self, runs=runs, modules=modules)
        return self._parts[name]

    def place(self, location: Location) -> str:
        """A location as people write it: `train.py:88`."""
        document = self.documents.get(location.path)
        line = f":{document.position(location.start)[0]}" if document is not None else ""
        return PurePath(location.path).name + line

    def versions_of(self, path: str) -> Versions:
        """The versions with which a file runs: those of the nearest package around it."""
        folders = (folder.as_posix() for folder in PurePath(path).parents)
        return next((self.versions[folder] for folder in folders if folder in self.versions), Versions())

    @property
    def checked_modules(self) -> Iterator[code.Module]:
        """The programs of the files whose findings are asked for, without what they import."""
        return (module for path, module in self.modules.items() if self.checked is None or path in self.checked)

    @property
    def scripts(self) -> Iterator[RunView]:
        """Runs of scripts."""
        return (run for run in self.runs if run.is_script)

    @property
    def of_several_processes(self) -> ProjectView:
        """The same project without the runs that are one process: what rules see that speak of ranks."""
        several = tuple(run for run in self.runs if not run.run.single_process)
        return self if len(several) == len(self.runs) else replace(self, runs=several)

    def kinds(self) -> frozenset[str]:
        """The kinds of events that occur anywhere."""
        return frozenset(event.kind for run in self.runs for event in run.all_events)


def project_view(
    runs: Iterable[RunView],
    api: ApiIndex,
    launch: LaunchHints,
    documents: Mapping[str, Document] | None = None,
    modules: Iterable[code.Module] = (),
    versions: Mapping[str, Versions] | None = None,
    checked: frozenset[str] | None = None,
    coverage: Sequence[Coverage] = (),
) -> ProjectView:
    """The view of a project of which these are the runs."""
    programs = {module.path: module for module in modules}
    return ProjectView(tuple(runs), api, launch, documents or {}, programs, versions or {}, checked, coverage)


def _by_module(project: ProjectView) -> Mapping[str, Sequence[RunView]]:
    """For each module, the runs that have looked into it."""
    found: dict[str, list[RunView]] = defaultdict(list)
    for run in project.runs:
        for name in run.modules | {run.run.module}:
            found[name].append(run)
    return found


def _name(question: Callable[..., object]) -> str:
    return f"{question.__module__.rpartition('.')[2]}.{question.__qualname__}"
