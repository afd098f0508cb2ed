"""All runs of a project, judged one by one: one from each script, and one for what no script reaches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar, cast

from ddl_lint.allowance import Allowance
from ddl_lint.analysis.dependence import Index
from ddl_lint.analysis.interpreter.interpreter import FOLLOWING, Interpreter, place_of
from ddl_lint.analysis.interpreter.library.classes import is_abstract
from ddl_lint.analysis.interpreter.likely_entries import likely_entries
from ddl_lint.analysis.interpreter.machine import Hooked, Installed
from ddl_lint.analysis.interpreter.project.closures import Closures
from ddl_lint.analysis.interpreter.project.codebase import Codebase
from ddl_lint.analysis.interpreter.project.entries import (
    Entry,
    definitions,
    followed_entry,
    followed_library,
    imported_modules,
    is_single_process,
    replaces_what_it_uses,
    script_entry,
    sets_up_job,
)
from ddl_lint.analysis.probes.makers import probes_for
from ddl_lint.analysis.result_cache import CachedResult, CacheKey, Entered, FunctionPlace, ResultCache, Workers
from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.crash import contained
from ddl_lint.finding import RuleFinding
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.garbage import Garbage
from ddl_lint.jobs.settings_files import SettingsFiles
from ddl_lint.program import code
from ddl_lint.program.events import EventKind
from ddl_lint.program.followed import Budget, Coverage
from ddl_lint.program.moving import Unmovable, moved_data, mover, places_in
from ddl_lint.program.shift import Change
from ddl_lint.program.trace import Run
from ddl_lint.program.values import ClassRef, FunctionRef, Object, Value
from ddl_lint.source.span import Location
from ddl_lint.timing import stage

_Result = TypeVar("_Result")


_Definitions: TypeAlias = tuple[frozenset[code.Function], tuple[code.Class, ...]]
"""The functions of a module of which library runs are made, and its classes."""


@dataclass(frozen=True)
class RunCheck(Generic[_Result]):
    """Says of each run what there is to say, as data, as soon as it has been followed: then the run is dropped."""

    run_result: Callable[[RunView], _Result]

    basis: object = None
    """What results depend on beside the run and the programs around it: with another one they are made anew."""

    wanted: frozenset[EventKind] = frozenset()
    """The kinds of events that it asks for; some are recorded only then."""


class Analyzer(Generic[_Result]):
    """Follows the runs of a project and has them judged; after a change, again only those that it concerns."""

    def __init__(self, api: ApiIndex, installed: Installed | None = None) -> None:
        self.api = api
        self._installed = installed
        self._interpreter: Interpreter | None = None
        self._wanted: frozenset[EventKind] = frozenset()
        self._budgets: Mapping[str, Budget] = {}
        self._cached_results: dict[CacheKey, CachedResult[_Result]] = {}
        self._words = (0, 0)
        """How many words said at first which functions are worth following."""

        self._index = Index()
        """Where the functions are of which units are made."""

        self._settings_files = SettingsFiles()
        self.is_new = True
        """Whether the whole project must be followed, because nothing is known of what it was."""
        self.is_lasting = True
        """Whether what was said last would be said of the same programs again."""
        self._definitions: dict[code.Module, _Definitions] = {}
        self.crashes: list[RuleFinding] = []
        """The faults of ours in what was followed last."""
        self.programs: list[Coverage] = []
        """What was followed the last time from where, and what was not."""
        self.remainder = Remainder()

    @property
    def documents(self) -> list[Path]:
        """The files beside the program that the runs have asked for."""
        return self._settings_files.looked_at

    def run(
        self,
        project_context: ProjectContext,
        run_check: RunCheck[_Result],
        settings_files: SettingsFiles | None = None,
        console: Sequence[Entry] = (),
        launching: frozenset[str] = frozenset(),
        result_cache: ResultCache[_Result] | None = None,
        others: Workers | None = None,
        is_part: bool = False,
        allowance: Allowance | None = None,
        named: Collection[str] = (),
        aside: Collection[str] = (),
    ) -> list[_Result]:
        """What is said of the runs that start in the modules of `project_context`, in the order of their names.

        A module in which no run starts has one without events, so that whatever is to be said of its text has a place.

        `settings_files` are those that the program may read, `console` the entries that files for packaging name,
        `launching` the notebooks in which something beside their code starts processes; `result_cache` keeps what was
        found, and what `others` find. Where they are wanted to say what comes of some modules, nothing is returned
        here. With `is_part`, the modules are only some of those that will be asked for. What the check may cost is its
        `allowance`: it is spent on the scripts with the paths `named`, then on the others, those that start little
        first, then on what no script reaches; what is left is the `remainder`. Of the modules `aside` only scripts are
        followed.

        Of two states of a project, a module that has not changed must be the same object. Runs in which we fail are
        left out, and reported in `crashes`.
        """
        self.crashes.clear()
        is_sound = False
        try:
            run_results = self._run_results(
                project_context,
                run_check,
                settings_files or SettingsFiles(),
                console,
                launching,
                result_cache,
                others,
                is_part,
                allowance or Allowance(),
                named,
                aside,
            )
            is_sound = not self.crashes and not self.remainder
            self.is_new = self.is_new and is_part
            return run_results
        finally:
            if not is_sound:  # what a fault of ours may have spoilt is not used again
                self._interpreter, self._cached_results, self.is_new = None, {}, True

    def _run_results(
        self,
        project_context: ProjectContext,
        run_check: RunCheck[_Result],
        files: SettingsFiles,
        console: Sequence[Entry],
        launching: frozenset[str],
        result_cache: ResultCache[_Result] | None,
        others: Workers | None,
        is_part: bool,
        allowance: Allowance,
        named: Collection[str],
        aside: Collection[str],
    ) -> list[_Result]:
        codebase = project_context.codebase
        modules = [module for module in map(codebase.module, sorted(project_context.names)) if module is not None]
        behind = _with_imported(codebase, modules)
        interpreter = self._interpreter
        if interpreter is None or not self._serves(interpreter, project_context, run_check, files, behind, is_part):
            self._settings_files, self._wanted, self._budgets = files, run_check.wanted, project_context.budgets
            probes = probes_for(run_check.wanted)
            interpreter = Interpreter(
                codebase, self.api, installed=self._installed, crashes=self.crashes, probes=probes
            )
            interpreter.budgets = project_context.budgets
            interpreter.take_in(behind)
            self._interpreter, self._words = interpreter, interpreter.word_count
            self._cached_results, self._index = {}, Index()
        interpreter.allowance = allowance
        self._settings_files.turn_to(files)
        interpreter.settings_files = self._settings_files
        interpreter.turn_to(codebase)
        interpreter.take_in(behind)
        self._definitions = {each: self._definitions.get(each) or _definitions(each) for each in modules}
        work = _Work(
            interpreter, project_context, run_check, result_cache, _Functions(modules), allowance, named, self._index
        )
        imported = imported_modules(codebase, modules)
        with work.garbage.left_aside() if self.is_new else nullcontext():
            cached_results = self._followed(work, modules, imported, console, launching, others, aside)
        wanted = [module for module in modules if others is None or others.wants(module.name)]
        self.programs = [program for cached in cached_results.values() for program in cached.programs]
        if not self.crashes:
            work.keep(
                {
                    place: cached
                    for place, cached in cached_results.items()
                    if self._cached_results.get(place) is not cached
                }
            )
        self.is_lasting = all(cached.is_lasting for cached in cached_results.values())
        asked = {module.name for module in modules}
        others_kept = {
            place: cached
            for place, cached in self._cached_results.items()
            if place[1] in codebase.sources.keys() - asked
        }
        self._cached_results = {**others_kept, **cached_results}
        if len(wanted) < len(modules):
            return []
        return [run_result for cached in cached_results.values() for run_result in cached.run_results]

    def _followed(
        self,
        work: _Work[_Result],
        modules: Sequence[code.Module],
        imported: frozenset[str],
        console: Sequence[Entry],
        launching: frozenset[str],
        others: Workers | None,
        aside: Collection[str],
    ) -> dict[CacheKey, CachedResult[_Result]]:
        """The units of modules: their scripts, then what is started from outside, then what nothing starts."""
        allowance = work.allowance
        entered: set[code.Function] = set()
        hooked: dict[code.Class, Hooked] = {}
        cached_results: dict[CacheKey, CachedResult[_Result]] = {}
        wanted = [module for module in modules if others is None or others.wants(module.name)]
        self.remainder = Remainder()
        for name, cached in self._scripts(work, wanted, imported, launching, others):
            cached_results["script", name] = cached
            entered |= cached.entered
            hooked = {**cached.hooked, **hooked}
        apart = [module for module in wanted if module.name not in aside]
        for module in apart if others is None or not others.helps else ():
            commands = tuple(entry for entry in console if entry.module == module.name)
            cached = None
            with stage("follow", module.path), allowance.stoppable:
                if not allowance.is_over():
                    cached = self._functions(work, module, commands, entered, imported)
            if cached is not None:
                cached_results["entry", module.name] = cached
                entered |= cached.entered
                hooked = {**cached.hooked, **hooked}
        started = {name for (kind, name), cached in cached_results.items() if kind == "script" or cached.programs}
        # Abstract classes come last: what is left of them is followed on objects of classes that derive from them.
        abstract = {module.name: _abstract_functions(module) for module in modules}
        shared = frozenset[code.Function]().union(*abstract.values())
        order = {each.name: each for each in sorted(apart, key=lambda module: bool(abstract[module.name]))}

        def entered_of(name: str) -> Entered | None:
            functions, classes = self._definitions[order[name]]
            if any(each in hooked for each in classes):  # no other process has the objects of those runs
                return None
            places = work.functions.places
            own, inherited = (
                frozenset(places[each] for each in some if each in entered) for some in (functions, shared)
            )
            return Entered(own, inherited, name in started)

        if others is not None and work.result_cache is not None:
            turns = others.ahead([*order], entered_of, allowance)
        else:
            turns = ((name, None) for name in order)
        for name, given in turns:
            module, cached = order[name], None
            with stage("follow", module.path), allowance.stoppable:
                if allowance.is_over():
                    pass
                elif given is None:
                    cached = self._library(work, module, entered, shared, hooked, name in started)
                else:
                    known = work.functions.those(given.own | given.inherited)
                    cached = self._library(work, module, known, shared, {}, given.is_started)
            if cached is not None and others is not None and not self.crashes:
                work.keep({("library", name): cached})
            if cached is None or (allowance.is_over() and not cached.is_lasting):
                self.remainder.libraries[module.name] = module.path
            if cached is not None:
                cached_results["library", module.name] = cached
                entered |= cached.entered
        return cached_results

    def _serves(
        self,
        interpreter: Interpreter,
        project_context: ProjectContext,
        run_check: RunCheck[_Result],
        files: SettingsFiles,
        modules: Sequence[code.Module],
        is_part: bool,
    ) -> bool:
        """Whether an interpreter may go on: with other files, any import may mean something else; with other probes,
        there are other events; and with other budgets, runs end elsewhere. What is followed for a part of the project
        is nothing less, but some of it may have been followed before it was known which functions are worth it.
        """
        now, before = project_context.codebase, interpreter.codebase
        if (
            now.sources != before.sources
            or now.packages != before.packages
            or not self._settings_files.is_current(files)
        ):
            return False
        if is_part:
            return run_check.wanted <= self._wanted and project_context.budgets.items() <= self._budgets.items()
        if run_check.wanted != self._wanted or project_context.budgets != self._budgets:
            return False
        if self.is_new:
            interpreter.take_in(modules)
        return not self.is_new or interpreter.word_count == self._words

    def _scripts(
        self,
        work: _Work[_Result],
        modules: Sequence[code.Module],
        imported: frozenset[str],
        launching: frozenset[str],
        others: Workers | None,
    ) -> list[tuple[str, CachedResult[_Result]]]:
        """The scripts among some modules, by name, in the order of the modules."""
        launched = work.project_context.launch.launched
        begun = ((module, script_entry(module, imported, launched)) for module in modules)
        entries = {module.name: (module, entry, (entry, module.name in launching)) for module, entry in begun if entry}
        found: dict[str, CachedResult[_Result]] = {}
        for name, (_, _, before) in entries.items():
            known = self._known(("script", name), work, before)
            if known is not None:
                found[name] = known
        new = work.in_order(entries[name][0] for name in entries if name not in found)
        for name in others.share(new, work.allowance) if others is not None and work.result_cache is not None else new:
            module, entry, before = entries[name]
            cached = None
            with stage("follow", module.path), work.allowance.stoppable:
                cached = work.find(("script", name), before) if others is not None else None
                if cached is None and not work.allowance.is_over():
                    cached = self._script(work, module, entry, before)
            if cached is None:
                continue
            found[name] = cached
            if work.allowance.is_over() and not cached.is_lasting:
                self.remainder.partly[name] = module.path
            if others is not None and not self.crashes:
                work.keep({("script", name): cached})
        wanted = (name for name in entries if name not in found and (others is None or others.wants(name)))
        self.remainder.scripts = {name: entries[name][0].path for name in wanted}
        return [(name, found[name]) for name in entries if name in found]

    def _script(
        self, work: _Work[_Result], module: code.Module, entry: Entry, before: tuple[Entry, bool]
    ) -> CachedResult[_Result]:
        _, launched = before
        interpreter = work.interpreter
        work.garbage.collect()
        _begin(interpreter, set(), {})
        noted: set[code.Read] = set()
        with contained(self.crashes, FOLLOWING, Location(module.path, 0, 0), place_of), code.noting(noted):
            runs = interpreter.each_command(partial(interpreter.run_script, module))
            for run in runs:
                run.single_process = is_single_process(self.api, entry, run) and not launched
            cached = work.cached(module, runs, before, frozenset(), noted, [followed_entry(module, entry, runs)])
            if all(run.single_process for run in runs):  # what it imports may be made for jobs of several processes
                return replace(cached, entered=cached.entered & self._definitions[module][0])
            return cached
        _begin(interpreter, set(), {})  # what it has entered may yet be followed by itself
        return work.cached(module, (), before, frozenset(), noted)

    def _functions(
        self,
        work: _Work[_Result],
        module: code.Module,
        named: Sequence[Entry],
        entered: set[code.Function],
        imported: frozenset[str],
    ) -> CachedResult[_Result] | None:
        """The functions of a module that are started from outside, and that no script has entered."""
        if not named and module.name in imported:
            return None
        own = frozenset(each for each in self._definitions[module][0] if each in entered)
        before = (own, tuple(named), module.name in imported)
        known = self._known(("entry", module.name), work, before)
        if known is not None:
            return known
        _begin(work.interpreter, set(own), {})
        noted: set[code.Read] = set()
        with code.noting(noted):
            runs, programs = follow_functions(work.interpreter, module, named, imported, self.crashes)
            cached = work.cached(module, runs, before, own, noted, programs)
        return cached if programs else replace(cached, entered=frozenset(), hooked={})

    def _library(
        self,
        work: _Work[_Result],
        module: code.Module,
        entered: set[code.Function],
        shared: frozenset[code.Function],
        hooked: Mapping[code.Class, Hooked],
        started: bool,
    ) -> CachedResult[_Result]:
        """What no script, and no module before, has entered; `shared` are the methods of abstract classes."""
        functions, classes = self._definitions[module]
        defined = tuple((each, hooked[each]) for each in classes if each in hooked)
        own = frozenset(each for each in functions if each in entered)
        before = (own, defined, started)
        known = self._known(("library", module.name), work, before, entered)
        if known is not None:
            return known
        work.garbage.collect()
        _begin(work.interpreter, set(own), dict(defined))
        inherited = {each: each in entered for each in shared}
        asked: set[code.Function] = set()
        noted: set[code.Read] = set()
        with code.noting(noted):
            runs: list[Run] = []
            if not replaces_what_it_uses(module):
                found = _library_runs(work.interpreter, module, inherited, asked, self.crashes)
                runs = [run for run in found if run.events]
            told = followed_library(module, runs, len(own), started)
            if not runs and not started:
                runs = [Run("library", module.name, module.path)]
            cached = work.cached(module, runs, before, own, noted, [told] if told is not None else [])
        return replace(cached, inherited={each: inherited[each] for each in asked})

    def _known(
        self, place: CacheKey, work: _Work[_Result], before: object, entered: Collection[code.Function] = ()
    ) -> CachedResult[_Result] | None:
        """What was found before, if nothing has changed that it depends on; `entered` is what runs have entered."""
        cached = self._cached_results.get(place)
        if cached is not None and not work.is_same(cached):
            cached = work.carried(cached)
        is_before = (
            cached is not None
            and cached.before == (before, work.run_check.basis)
            and cached.inherits_as_before(entered)
        )
        if cached is None or not is_before:
            return work.find(place, before, entered)
        if cached is not self._cached_results[place]:
            work.kept.add(place)  # what is in the cache is as good
            self._cached_results[place] = cached
        return cached


@dataclass
class Remainder:
    """The modules that a check does not come to in the time that it has: names and paths."""

    scripts: dict[str, str] = field(default_factory=dict[str, str])
    partly: dict[str, str] = field(default_factory=dict[str, str])
    """The scripts in the midst of which it ends."""

    libraries: dict[str, str] = field(default_factory=dict[str, str])
    """Those of which is unknown what is found in that which no script reaches."""

    def __bool__(self) -> bool:
        return bool(self.scripts or self.partly or self.libraries)


@dataclass(frozen=True)
class _Work(Generic[_Result]):
    """What it takes to follow runs, and to judge them."""

    interpreter: Interpreter
    project_context: ProjectContext
    run_check: RunCheck[_Result]
    result_cache: ResultCache[_Result] | None
    functions: _Functions
    allowance: Allowance
    named: Collection[str]
    index: Index
    garbage: Garbage = field(default_factory=Garbage)
    kept: set[CacheKey] = field(default_factory=set[CacheKey])
    """What is in the cache as it is now."""

    _changes: dict[tuple[code.Module, code.Module], Change | None] = field(default_factory=lambda: {})
    _read: dict[frozenset[str], Mapping[str, code.Module | None]] = field(default_factory=lambda: {})
    _same: dict[int, tuple[object, bool]] = field(default_factory=lambda: {})

    def module(self, name: str) -> code.Module | None:
        """The program of a module."""
        return self.project_context.codebase.module(name)

    def in_order(self, scripts: Iterable[code.Module]) -> list[str]:
        """The names of scripts in the order in which they are followed: the named ones first, then those of which most
        can be followed in the time that there is.
        """
        scripts = list(scripts)
        if len(scripts) < 2:
            return [module.name for module in scripts]
        codebase = self.project_context.codebase
        behind = _with_imported(codebase, scripts)
        started = Closures({module.name: sorted(imported_modules(codebase, [module])) for module in behind})
        sizes = {module.name: module.body[-1].end if module.body else 0 for module in behind}

        def cost(module: code.Module) -> tuple[bool, int, str]:
            size = sum(sizes.get(name, 0) for name in started.of(module.name))
            return module.path not in self.named, size, module.name

        return [module.name for module in sorted(scripts, key=cost)]

    def read_of(self, names: frozenset[str]) -> Mapping[str, code.Module | None]:
        """The modules with these names: the same object for all units that have looked into them."""
        if names not in self._read:
            self._read[names] = {name: self.module(name) for name in sorted(names)}
        return self._read[names]

    def is_same(self, cached: CachedResult[_Result]) -> bool:
        """Whether all that a unit is made of is as it was."""
        read = cached.read
        if id(read) not in self._same:  # units share what they have read
            self._same[id(read)] = read, all(self.module(name) is module for name, module in read.items())
        return self._same[id(read)][1] and all(self.around(name) == modules for name, modules in cached.asked.items())

    def carried(self, cached: CachedResult[_Result]) -> CachedResult[_Result] | None:
        """A unit as it is after changes that leave all that was read for it as it was; None where they do not."""
        if cached.reads is None or cached.hooked:  # objects of its runs are made of what was there then
            return None
        changes = self._changes_of(cached)
        asked = {name: self.around(name) for name in cached.asked}
        if changes is None or any(_names(asked[name]) != _names(before) for name, before in cached.asked.items()):
            return None
        move = mover({path: change.shift for path, change in changes.items()})
        documents = self.project_context.documents
        try:
            for path, offset, line in cached.lines:  # the cells of a notebook may be others though its text is the same
                is_other = path in changes or path.endswith(".ipynb")
                if is_other and documents[path].place(move(Location(path, offset, offset)).start) != line:
                    return None
            lines = tuple(
                (path, move(Location(path, offset, offset)).start, line) for path, offset, line in cached.lines
            )
            paths = places_in((cached.run_results, cached.programs)) if cached.paths is None else cached.paths
            run_results, programs = cached.run_results, cached.programs
            if not paths.isdisjoint(changes):
                run_results, programs = moved_data((run_results, programs), move)
        except Unmovable:
            return None
        functions = {before: after for change in changes.values() for before, after in change.functions}
        before, basis = cast("tuple[tuple[object, ...], object]", cached.before)
        return replace(
            cached,
            run_results=run_results,
            programs=programs,
            read=self.read_of(frozenset(cached.read)),
            asked=asked,
            before=(tuple(_now(part, functions) for part in before), basis),
            entered=_each_now(cached.entered, functions),
            inherited={functions.get(each, each): was for each, was in cached.inherited.items()},
            lines=lines,
            words=self.interpreter.word_count,
            paths=paths,
        )

    def _changes_of(self, cached: CachedResult[_Result]) -> dict[str, Change] | None:
        """How the modules have changed of which a unit is made, by path; None where that changes what it is."""
        modules = dict(cached.read)
        for around in cached.asked.values():
            modules.update((module.name, module) for module in around)
        changes: dict[str, Change] = {}
        new_words = self.interpreter.words_since(cached.words)
        for name, before in modules.items():
            after = self.module(name)
            if new_words and after is not None and not new_words.isdisjoint(code.unnoted_words(after)):
                return None
            if after is before:
                continue
            change = self._change(before, after) if before is not None and after is not None else None
            if before is None or after is None or change is None or after.path in cached.texts:
                return None
            if cached.reads is None or not cached.reads.hold(name, before, after, change):
                return None
            changes[after.path] = change
        return changes

    def _change(self, before: code.Module, after: code.Module) -> Change | None:
        """How a module differs from what it was; None where it may do something else than inside of its functions."""
        key = before, after
        if key not in self._changes:
            change = Change.between(before, after)
            if change is not None:
                same = self.interpreter.is_as_relevant
                altered = (pair for at, pair in enumerate(change.functions) if change.changed >> at & 1)
                change = change if all(same(*pair) for pair in altered) else None
            self._changes[key] = change
        return self._changes[key]

    def around(self, name: str) -> tuple[code.Module, ...]:
        """The programs that use a module."""
        return self.project_context.around(name)

    def relevant_words(self, module: code.Module) -> frozenset[str]:
        """The words of a module that decide what of it is followed again."""
        interpreter = self.interpreter
        return interpreter.relevance.among(module) | interpreter.reaches_collective.among(module)

    def place_of(self, function: code.Function) -> FunctionPlace | None:
        """Where a function is; None where no library run is made of it."""
        return self.functions.places.get(function)

    def function_at(self, place: FunctionPlace) -> code.Function | None:
        """The function at a place."""
        return self.functions.at.get(place)

    def find(
        self, place: CacheKey, before: object, entered: Collection[code.Function] = ()
    ) -> CachedResult[_Result] | None:
        """What the cache holds for a place, if it holds there when `entered` is what runs have entered."""
        plain = self.functions.plain(before)
        cached = (
            self.result_cache.find(place, plain, self) if self.result_cache is not None and plain is not None else None
        )
        if cached is None:
            return None
        cached = replace(cached, before=(before, self.run_check.basis), words=self.interpreter.word_count)
        if not self.is_same(cached) or any(path.endswith(".ipynb") for path, _, _ in cached.lines):
            cached = self.carried(cached)
        if cached is None or not cached.inherits_as_before(entered):
            return None
        self.kept.add(place)
        return cached

    def keep(self, cached_results: Mapping[CacheKey, CachedResult[_Result]]) -> None:
        """Put results into the cache."""
        for place, cached in cached_results.items() if self.result_cache is not None else ():
            before, _ = cast("tuple[object, object]", cached.before)
            plain = self.functions.plain(before)
            is_data = plain is not None and not cached.hooked
            if self.result_cache is not None and place not in self.kept and is_data and cached.is_lasting:
                self.kept.add(place)
                self.result_cache.keep(place, plain, cached, self)

    def cached(
        self,
        module: code.Module,
        runs: Iterable[Run],
        before: object,
        entered: Collection[code.Function],
        noted: set[code.Read],
        programs: Sequence[Coverage] = (),
    ) -> CachedResult[_Result]:
        """Has runs judged; they are all that the interpreter has followed since it began. What is read meanwhile comes
        into `noted`, as what was read before.
        """
        interpreter = self.interpreter
        known = interpreter.modules_behind([module.name, *sorted(interpreter.asked_for)])
        visited, hooked = frozenset(interpreter.visited.difference(entered)), dict(interpreter.hooked)
        run_results: list[_Result] = []
        asked: dict[str, tuple[code.Module, ...]] = {}
        texts: set[str] = set()
        lines: dict[tuple[str, int], str] = {}
        is_lasting = True
        for run in runs:
            is_lasting = is_lasting and (run.cut is None or not run.cut.by_time)
            view = RunView(run, self.project_context, known)
            run_results.append(self.run_check.run_result(view))
            asked.update(view.asked)
            texts |= view.texts
            lines.update(view.lines)
        self.index.take_in(map(self.module, known))
        for around in asked.values():
            self.index.take_in(around)
        reads = self.index.reads(noted | interpreter.reads_behind(known))
        return CachedResult(
            tuple(run_results),
            self.read_of(known),
            asked,
            (before, self.run_check.basis),
            visited,
            hooked,
            tuple(programs),
            is_lasting,
            frozenset(texts),
            tuple((path, offset, line) for (path, offset), line in lines.items()),
            reads,
            interpreter.word_count,
        )


def _names(modules: Iterable[code.Module]) -> list[str]:
    return [module.name for module in modules]


def _now(part: object, functions: Mapping[code.Function, code.Function]) -> object:
    """A set of functions as they are now; anything else as it is."""
    return _each_now(cast("frozenset[code.Function]", part), functions) if isinstance(part, frozenset) else part


def _each_now(
    some: frozenset[code.Function], functions: Mapping[code.Function, code.Function]
) -> frozenset[code.Function]:
    return some if some.isdisjoint(functions) else frozenset(functions.get(each, each) for each in some)


class _Functions:
    """The functions and methods of which library runs are made, by where they are."""

    def __init__(self, modules: Iterable[code.Module]) -> None:
        each = ((each.name, number, made) for each in modules for number, made in enumerate(_all_functions(each)))
        self.at: dict[FunctionPlace, code.Function] = {(name, number): made for name, number, made in each}
        self.places = {made: place for place, made in self.at.items()}

    def those(self, places: Iterable[FunctionPlace]) -> set[code.Function]:
        """The functions at some places."""
        return {self.at[each] for each in places if each in self.at}

    def plain(self, before: object) -> object | None:
        """What a unit depends on as plain data; None where that is the state of objects of another run."""
        parts: list[object] = []
        for part in cast("tuple[object, ...]", before):
            if isinstance(part, frozenset):
                functions = cast("frozenset[code.Function]", part)
                parts.append(frozenset(self.places[each] for each in functions))
                continue
            if isinstance(part, tuple):
                entries = cast("tuple[object, ...]", part)
                if not all(isinstance(each, Entry) for each in entries):
                    return None
            parts.append(cast(object, part))
        return tuple(parts)


def _with_imported(codebase: Codebase, modules: Sequence[code.Module]) -> list[code.Module]:
    """Modules, and all that these import, directly or through others: what a run follows does not depend on what was
    loaded before it.
    """
    found = {module.name: module for module in modules}
    new = list(modules)
    while new:
        names = sorted(imported_modules(codebase, new) - found.keys())
        new = [module for module in map(codebase.module, names) if module is not None]
        found.update((module.name, module) for module in new)
    return list(found.values())


def _begin(interpreter: Interpreter, entered: set[code.Function], hooked: dict[code.Class, Hooked]) -> None:
    interpreter.asked_for = set()
    interpreter.visited = entered
    interpreter.hooked = hooked


def follow_functions(
    interpreter: Interpreter,
    module: code.Module,
    named: Sequence[Entry],
    imported: frozenset[str],
    crashes: list[RuleFinding],
) -> tuple[list[Run], list[Coverage]]:
    """The runs of the functions of a module that are started from outside, without those in which we fail, and what is
    reported about them.
    """
    runs: list[Run] = []
    programs: list[Coverage] = []
    functions = functions_of(module)
    for entry in named:
        if functions.get(entry.function) in interpreter.visited:
            programs.append(Coverage(module.path, entry.kind, entry.function, True, entry.reason))
            continue
        with contained(crashes, FOLLOWING, Location(module.path, 0, 0), place_of):
            found = interpreter.each_command(partial(interpreter.run_entry, module, entry.function))
            runs += found
            programs.append(followed_entry(module, entry, found))
    if not _may_have_entries(module, imported):
        return runs, programs
    interpreter.module_names(module.name)
    for entry in likely_entries(interpreter, module, imported):
        if functions[entry.function] in interpreter.visited:
            continue
        visited = set(interpreter.visited)
        is_entry = False
        with contained(crashes, FOLLOWING, Location(module.path, 0, 0), place_of):
            found = interpreter.each_command(partial(interpreter.run_entry, module, entry.function))
            is_entry = any(sets_up_job(run, entry) for run in found)
            if is_entry:
                for run in found:
                    run.is_supposed = entry.kind == "main"
                runs += found
                programs.append(followed_entry(module, entry, found))
        if not is_entry:  # a function like others: some code calls it, though it is unknown which
            interpreter.visited = visited
    return runs, programs


def _may_have_entries(module: code.Module, imported: frozenset[str]) -> bool:
    return module.name not in imported and any(isinstance(each, code.Function) for each in definitions(module.body))


def _definitions(module: code.Module) -> _Definitions:
    return frozenset(_all_functions(module)), tuple(each for each in module.body if isinstance(each, code.Class))


def _all_functions(module: code.Module) -> Iterator[code.Function]:
    """The functions and methods of which library runs are made."""
    for statement in module.body:
        if isinstance(statement, code.Function):
            yield statement
        elif isinstance(statement, code.Class):
            yield from (part for part in statement.body if isinstance(part, code.Function))


def _abstract_functions(module: code.Module) -> frozenset[code.Function]:
    """The methods of the abstract classes of a module."""
    classes = [each for each in module.body if isinstance(each, code.Class) and is_abstract(each)]
    return frozenset(part for each in classes for part in each.body if isinstance(part, code.Function))


def follow_scripts(
    codebase: Codebase,
    api: ApiIndex,
    names: Iterable[str],
    installed: Installed | None = None,
    watched: frozenset[code.Statement] = frozenset(),
    crashes: list[RuleFinding] | None = None,
    budget: Budget | None = None,
) -> list[Run]:
    """The runs of these modules as somebody starts them, in the order of the names.

    Each time one of the statements `watched` is come to, the run has an event `reach` there. `crashes` takes in the
    faults of ours in modules that are imported; `budget` is what each run may cost, where that is not the usual.
    """
    interpreter = Interpreter(codebase, api, installed=installed, crashes=crashes, budget=budget)
    interpreter.watched = watched
    modules = [module for module in (codebase.module(name) for name in sorted(names)) if module is not None]
    interpreter.take_in(modules)
    return [run for module in modules for run in interpreter.each_command(partial(interpreter.run_script, module))]


def follow_entries(
    codebase: Codebase,
    api: ApiIndex,
    module: code.Module,
    console: Sequence[Entry] = (),
    installed: Installed | None = None,
    watched: frozenset[code.Statement] = frozenset(),
    crashes: list[RuleFinding] | None = None,
    budget: Budget | None = None,
    launched: Collection[str] = (),
    *,
    is_launcher: bool = False,
    settings_files: SettingsFiles | None = None,
    recorded: Collection[EventKind] = (),
) -> list[Run]:
    """The runs that begin in one module: from its first statement if it is a script, else from its functions that are
    started from outside.

    `watched`, `crashes` and `budget` as in `follow_scripts`. `launched` are the scripts, by their paths, that launch
    lines start; `is_launcher` says that the module is a notebook in which a command starts processes. `recorded` are
    kinds of events beside those that are recorded in any case.
    """
    probes = probes_for(recorded)
    interpreter = Interpreter(codebase, api, installed=installed, crashes=crashes, budget=budget, probes=probes)
    interpreter.watched = watched
    interpreter.settings_files = settings_files or interpreter.settings_files
    interpreter.take_in([module])
    entry = script_entry(module, launched=launched)
    if entry is not None:
        runs = interpreter.each_command(partial(interpreter.run_script, module))
        for run in runs:
            run.single_process = is_single_process(api, entry, run) and not is_launcher
        return runs
    named = [entry for entry in console if entry.module == module.name]
    return follow_functions(interpreter, module, named, frozenset(), interpreter.crashes)[0]


def follow_function(
    codebase: Codebase,
    api: ApiIndex,
    module: code.Module,
    qualname: str,
    installed: Installed | None = None,
    watched: frozenset[code.Statement] = frozenset(),
    crashes: list[RuleFinding] | None = None,
    budget: Budget | None = None,
    recorded: Collection[EventKind] = (),
) -> Run | None:
    """A function or method (`Class.method`) of a module by itself, with unknown arguments; None when there is none.

    `watched`, `crashes` and `budget` as in `follow_scripts`, `recorded` as in `follow_entries`.
    """
    probes = probes_for(recorded)
    interpreter = Interpreter(codebase, api, installed=installed, crashes=crashes, budget=budget, probes=probes)
    interpreter.watched = watched
    interpreter.take_in([module])
    names = interpreter.module_names(module.name)
    first, _, method = qualname.partition(".")
    for statement in definitions(module.body):
        if statement.name != first:
            continue
        if isinstance(statement, code.Function):
            if not method:
                return interpreter.run_function(module, _function_of(names.get(first), statement, module.name))
        elif method:
            wanted = [each for each in definitions(statement.body) if each.name == method]
            methods = [each for each in wanted if isinstance(each, code.Function)]
            return interpreter.run_class(module, _class_of(names.get(first), statement, module.name), methods)
    return None


def functions_of(module: code.Module) -> Mapping[str, code.Function]:
    """The functions of a module and the methods of its classes by their qualified names."""
    found: dict[str, code.Function] = {}
    for statement in definitions(module.body):
        if isinstance(statement, code.Function):
            found.setdefault(statement.name, statement)
        else:
            for part in definitions(statement.body):
                if isinstance(part, code.Function):
                    found.setdefault(f"{statement.name}.{part.name}", part)
    return found


def _library_runs(
    interpreter: Interpreter,
    module: code.Module,
    shared: Mapping[code.Function, bool],
    asked: set[code.Function],
    crashes: list[RuleFinding],
) -> Iterator[Run]:
    """Functions and classes of a module that no earlier run has entered; without those in which we fail.

    `shared` says of the methods of abstract classes whether something has entered them; those that a class of the
    module inherits come into `asked`.
    """
    names = interpreter.module_names(module.name)
    for statement in module.body:
        if isinstance(statement, code.Function) and statement not in interpreter.visited:
            if not interpreter.relevance.of(statement):
                continue
            function = _function_of(names.get(statement.name), statement, module.name)
            with contained(crashes, FOLLOWING, Location(module.path, statement.start, statement.start), place_of):
                yield interpreter.run_function(module, function)
        elif isinstance(statement, code.Class):
            owner = _class_of(names.get(statement.name), statement, module.name)
            methods = [part for part in statement.body if isinstance(part, code.Function)]
            inherited = interpreter.inherited(owner)
            asked |= shared.keys() & inherited
            methods += inherited
            unseen = [each for each in methods if each not in interpreter.visited and not shared.get(each)]
            if not unseen or not any(map(interpreter.is_worth_a_run, methods)):
                continue
            with contained(crashes, FOLLOWING, Location(module.path, statement.start, statement.start), place_of):
                yield interpreter.run_class(module, owner, unseen)


def _function_of(value: Value | None, statement: code.Function, module: str) -> FunctionRef:
    """The function that a name of a module refers to, looked for under a decorator."""
    if isinstance(value, Object):
        value = value.given.get("function")
    if not isinstance(value, FunctionRef) or value.function is not statement:
        return FunctionRef(statement, module)
    return value


def _class_of(value: Value | None, statement: code.Class, module: str) -> ClassRef:
    """The class that a statement makes. Its name may refer to another one by now."""
    if isinstance(value, ClassRef) and value.definition is statement:
        return value
    return ClassRef(statement, module)
