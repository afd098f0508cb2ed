"""What rules see: one run, and what surrounds it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

from ddl_lint.analysis.interpreter.project.closures import Closures
from ddl_lint.analysis.interpreter.project.codebase import Codebase
from ddl_lint.analysis.interpreter.project.entries import imported_modules, says_one
from ddl_lint.analysis.probes.makers import MAKERS
from ddl_lint.analysis.values.contexts import in_process
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.job import Job
from ddl_lint.jobs.launch_facts import LaunchFacts
from ddl_lint.jobs.versions import Versions
from ddl_lint.program import code
from ddl_lint.program.event_types import InitProcessGroup, SetEnvironment
from ddl_lint.program.events import EventKind
from ddl_lint.program.followed import Budget
from ddl_lint.program.heap import Heap
from ddl_lint.program.job_choices import UnderJobs
from ddl_lint.program.kinds import EVENT_TYPES, kind_of
from ddl_lint.program.trace import Event, Run, Spelling
from ddl_lint.program.values import Const, Object
from ddl_lint.registry.schema import nearest
from ddl_lint.source import Document
from ddl_lint.source.span import Location
from ddl_lint.timing import stage

_Answer = TypeVar("_Answer")
_Happening = TypeVar("_Happening", bound=Event)
_P = ParamSpec("_P")


@dataclass(eq=False)
class ProjectContext:
    """What is around the runs of a project: the API models, what its launch files hint at, the texts and programs
    of its files, and with which versions of packages it runs."""

    api: ApiIndex
    codebase: Codebase
    launch: LaunchFacts = field(default_factory=LaunchFacts)
    documents: Mapping[str, Document] = field(default_factory=dict[str, Document])
    """The texts of files, by path."""

    versions_of: Callable[[str], Versions] = lambda _: Versions()
    """The versions with which a file runs: those of the nearest package around it."""

    budgets: Mapping[str, Budget] = field(default_factory=dict[str, Budget])
    """What runs may cost that start in these files, by path, where that is not the usual."""

    names: Iterable[str] = ()
    """The modules in which runs may start: the files that are checked, and those that import them."""

    _around: dict[frozenset[str], tuple[code.Module, ...]] = field(default_factory=lambda: {}, init=False, repr=False)
    _at: dict[frozenset[str], Mapping[str, code.Module]] = field(default_factory=lambda: {}, init=False, repr=False)

    _answers: dict[object, Any] = field(default_factory=dict[object, Any], init=False, repr=False)

    def once(self, question: Callable[[ProjectContext], _Answer]) -> _Answer:
        """The answer to a question that does not depend on a run; it is found once in a check."""
        if question not in self._answers:
            self._answers[question] = question(self)
        return self._answers[question]

    def around(self, name: str) -> tuple[code.Module, ...]:
        """The programs that use a module: it, all that import it, directly or through others, and what these import.

        What is there is text only. Where a rule is silent because of a name that it reads there, or a fix would
        break what it reads there, it need not know who runs it.
        """
        users = self._users.of(name)
        if users not in self._around:
            self._around[users] = tuple(self.at(self._imports.of_all(users)).values())
        return self._around[users]

    def at(self, names: frozenset[str]) -> Mapping[str, code.Module]:
        """The modules with these names that can be read, by path, in the order of their names."""
        if names not in self._at:
            self._at[names] = _by_path(filter(None, map(self.codebase.module, sorted(names))))
        return self._at[names]

    @property
    def _imports(self) -> Closures:
        return self._graph[0]

    @property
    def _users(self) -> Closures:
        return self._graph[1]

    @cached_property
    def _graph(self) -> tuple[Closures, Closures]:
        """What each module imports, and who imports it, among the modules in which runs may start."""
        names = frozenset(self.names)
        imports: dict[str, frozenset[str]] = {}
        importers: dict[str, set[str]] = defaultdict(set)
        for name in names:
            module = self.codebase.module(name)
            imports[name] = names & imported_modules(self.codebase, [module] if module is not None else ())
            for each in imports[name]:
                importers[each].add(name)
        return Closures(imports), Closures(importers)


def _none_of(kind: str) -> list[Event]:
    if kind not in EVENT_TYPES:
        raise LookupError(f"unknown event `{kind}`{nearest(kind, EVENT_TYPES)}")
    return []


@dataclass(eq=False)
class RunView:
    """One run with its events by kind, and what surrounds it. What a rule finds in it depends on nothing else."""

    run: Run
    project_context: ProjectContext
    known: frozenset[str] = frozenset()
    """The names of the modules that the run has looked into, with all that these import."""

    asked: dict[str, tuple[code.Module, ...]] = field(default_factory=lambda: {}, repr=False)
    """The modules that rules have asked about beside those: what was answered for which one."""

    texts: set[str] = field(default_factory=set[str], repr=False)
    """The paths of the files of which somebody has read more than the programs."""

    lines: dict[tuple[str, int], str] = field(default_factory=lambda: {}, repr=False)
    """The lines that were asked for, of offsets in files."""

    job: Job | None = None
    """The job that is judged; None for any that launches do not describe."""

    said: frozenset[Location] = frozenset()
    """Where the rule that is asked has spoken of the run before, in any job: what it says there again needs no fix."""

    _by_kind: dict[str, list[Event]] = field(default_factory=lambda: defaultdict(list))
    _answers: dict[object, Any] = field(default_factory=dict[object, Any], repr=False)

    def once(
        self, question: Callable[Concatenate[RunView, _P], _Answer], *facts: _P.args, **more: _P.kwargs
    ) -> _Answer:
        """The answer to a question about the run that several rules have; it is found once. `facts` must always be the
        same ones.
        """
        if question not in self._answers:
            with stage("questions", _name(question)):
                self._answers[question] = question(self, *facts, **more)
        return self._answers[question]

    def __post_init__(self) -> None:
        for event in self.run.events:
            self._by_kind[event.kind].append(event)

    def under(self, job: Job, run: Run) -> RunView:
        """The run in a job that a launch describes: of the events those that happen there."""
        return replace(self, run=run, job=job, _by_kind=defaultdict(list), _answers={})

    def traits(self, of: Object | Event) -> Mapping[str, Any]:
        """The traits of an object, or of a call that changes one in place, in the job that is judged."""
        if self.job is None or not any(isinstance(trait, UnderJobs) for trait in of.traits.values()):
            return of.traits
        choices = self.job.choices
        return {
            name: trait.holds(choices) if isinstance(trait, UnderJobs) else trait for name, trait in of.traits.items()
        }

    @property
    def jobs(self) -> Sequence[Job]:
        """The jobs that launches surely start this script as."""
        return self.launch.jobs.get(self.run.path, ()) if self.is_script else ()

    @property
    def api(self) -> ApiIndex:
        """The API models of the project."""
        return self.project_context.api

    @property
    def launch(self) -> LaunchFacts:
        """What the launch files of the project hint at."""
        return self.project_context.launch

    @property
    def documents(self) -> Mapping[str, Document]:
        """The texts of the project's files, by path."""
        return _Noted(self.project_context.documents, self.texts)

    def versions_of(self, path: str) -> Versions:
        """The versions of packages with which a file runs."""
        return self.project_context.versions_of(path)

    def place(self, location: Location, near: Location | None = None) -> str:
        """A location as people write it: `train.py:88`; beside one in the same file `line 88`. In a notebook lines are
        counted in their cell, which is named beside a place in another one: `cell 3:2`.
        """
        document = self.project_context.documents.get(location.path)
        if document is None:
            return PurePath(location.path).name
        place = self._line(document, location)
        if near is None or near.path != location.path:
            return f"{PurePath(location.path).name}:{place}"
        if not document.cells:
            return f"line {place}"
        cell, _, line = place.rpartition(":")
        return f"line {line}" if self._line(document, near).rpartition(":")[0] == cell else place

    def _line(self, document: Document, location: Location) -> str:
        place = self.lines[location.path, location.start] = document.place(location.start)
        return place

    @property
    def modules(self) -> Mapping[str, code.Module]:
        """The modules that have a say in the run, by path: those that it has looked into, with all that they import;
        where nothing starts it, those of the programs that use its module as well.
        """
        return self.once(_modules)

    def module_at(self, path: str) -> code.Module | None:
        """One of `modules`, by its path. To be used where one will do: what nothing starts depends on all programs that
        use it once somebody asks for all.
        """
        return self.once(_known_modules).get(path) or self.modules.get(path)

    def users(self, location: Location) -> Mapping[str, code.Module]:
        """The modules that a change of a file concerns, by path: those of the programs that use it, and the run's."""
        name = next((each.name for each in self.modules.values() if each.path == location.path), None)
        return self.modules if name is None else {**_by_path(self._around(name)), **self.modules}

    def _around(self, name: str) -> tuple[code.Module, ...]:
        self.asked[name] = self.project_context.around(name)
        return self.asked[name]

    @property
    def is_script(self) -> bool:
        """Whether this run starts where somebody starts the program; else its parameters are unknown."""
        return self.run.kind == "script"

    @property
    def is_launched(self) -> bool:
        """Whether this run starts in a script that a launch line of the project starts."""
        return self.is_script and self.run.path in self.launch.launched

    def may_set(self, variable: str) -> bool:
        """Whether a launch file near this run, or one that builds an image, speaks of an environment variable."""
        return self.launch.may_set(variable, self.run.path)

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
        """All events in order, but those that are only recorded where a rule asks for them: what one rule sees does not
        depend on which others are on."""
        return self.once(_all_events)

    @overload
    def events(self, *kinds: type[_Happening]) -> list[_Happening]: ...
    @overload
    def events(self, *kinds: EventKind) -> list[Event]: ...
    def events(self, *kinds: type[Event] | EventKind) -> Sequence[Event]:
        """The events of these kinds, in order. Raises `LookupError` for a word that is no kind of event."""
        words = [kind_of(kind) for kind in kinds]
        if len(words) == 1:
            return self._by_kind.get(words[0]) or _none_of(words[0])
        found = [events for kind in words if (events := self._by_kind.get(kind) or _none_of(kind))]
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

    def groups(self) -> list[InitProcessGroup]:
        """Where default groups of more than one process are created."""
        inits = [
            event
            for event in self.events(InitProcessGroup)
            if event.world_size != Const(1) and not _is_told_to_be_alone(self, event)
        ]
        spawned = {init.location for init in inits if in_process(init) is not None}
        return [init for init in inits if not (init.location in spawned and _is_called_for_one(init))]

    def has(self, *kinds: type[Event] | EventKind) -> bool:
        """Whether there is an event of one of these kinds."""
        return any(self._by_kind.get(kind_of(kind)) for kind in kinds)

    @property
    def kinds(self) -> Iterable[str]:
        """The kinds of its events."""
        return self._by_kind.keys()

    def providers(self, *facilities: str) -> Iterator[Event]:
        """Events that set up or take care of one of these facilities."""
        wanted = frozenset(facilities)
        return (event for event in self.run.events if event.provides & wanted)

    def provides(self, *facilities: str) -> bool:
        """Whether something in the run sets up or takes care of one of these facilities."""
        return any(True for _ in self.providers(*facilities))


class _Noted(Mapping[str, Document]):
    """The texts of files, with a note of each that is looked at."""

    def __init__(self, documents: Mapping[str, Document], noted: set[str]) -> None:
        self._documents = documents
        self._noted = noted

    def __getitem__(self, path: str) -> Document:
        self._noted.add(path)
        return self._documents[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)


def _is_told_to_be_alone(run: RunView, init: InitProcessGroup) -> bool:
    """Whether the program has surely set in its environment that there is one process, which is what the group asks."""
    if not init.operands.keys().isdisjoint(("world_size", "store")):
        return False
    around = set(init.context.chain())
    return any(
        event.order < init.order
        and says_one(run.api, event)
        and "default" not in event.operands
        and all(node in around or node.kind not in ("branch", "handler") for node in event.context.chain())
        for event in run.events(SetEnvironment)
    )


def _is_called_for_one(init: InitProcessGroup) -> bool:
    """Whether the rank is a literal, outside of the processes that the program starts: of `train(0)` beside
    `spawn(train)` there is one.
    """
    return in_process(init) is None and isinstance(init.rank, Const)


def _known_modules(run: RunView) -> Mapping[str, code.Module]:
    return run.project_context.at(run.known | {run.run.module} if run.run.module not in run.known else run.known)


def _modules(run: RunView) -> Mapping[str, code.Module]:
    known = run.once(_known_modules)
    return known if run.is_script else {**_by_path(run._around(run.run.module)), **known}  # pyright: ignore[reportPrivateUsage]


def _all_events(run: RunView) -> list[Event]:
    return [event for event in run.run.events if event.kind not in MAKERS]


def _by_path(modules: Iterable[code.Module]) -> dict[str, code.Module]:
    return {module.path: module for module in modules}


def _name(question: Callable[..., object]) -> str:
    return f"{question.__module__.rpartition('.')[2]}.{question.__qualname__}"
