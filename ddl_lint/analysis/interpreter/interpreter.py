"""Follows a program from its entry points, with abstract values, and records what it does."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from ddl_lint.analysis.interpreter.language import calls, expressions, statements
from ddl_lint.analysis.interpreter.library.classes import ancestry, is_abstract, library_model
from ddl_lint.analysis.interpreter.machine import (
    DEEPEST_CALL,
    MOST_OFFERED,
    Arguments,
    ClassBody,
    Exhausted,
    Frame,
    Installed,
    Machine,
    Probes,
    drop_element,
    next_number,
)
from ddl_lint.analysis.interpreter.models.call_sites import CallSite
from ddl_lint.analysis.interpreter.models.returned import evaluate_returns
from ddl_lint.analysis.interpreter.project.closures import Closures
from ddl_lint.analysis.interpreter.project.codebase import Codebase
from ddl_lint.analysis.interpreter.state import OWNED, Changes, Names, Notes, State
from ddl_lint.analysis.syntactic.mentions import mentioned
from ddl_lint.analysis.syntactic.usage import CALL, usage_of_attributes
from ddl_lint.crash import contained
from ddl_lint.finding import RuleFinding
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.model import Hooks
from ddl_lint.program import code
from ddl_lint.program.followed import Budget
from ddl_lint.program.tags import DATA
from ddl_lint.program.trace import Context, Event, Run
from ddl_lint.program.values import (
    Cells,
    ClassRef,
    Const,
    FunctionRef,
    Object,
    Presences,
    Rank,
    Table,
    Unknown,
    Value,
    Variables,
)
from ddl_lint.source.span import Location
from ddl_lint.timing import thread_seconds

KEPT_CALLS = "DDL_LINT_KEPT_CALLS"
"""The environment variable that says `on` where calls are kept if that pays, and `all` where that does not matter; else
each is followed."""

FOLLOWING = "following the program"
"""What fails when we fail in here."""


class Interpreter(Machine):
    """Runs of one project, one after the other. What a module does when it is imported is followed once for all."""

    def __init__(
        self,
        codebase: Codebase,
        api: ApiIndex,
        *,
        installed: Installed | None = None,
        crashes: list[RuleFinding] | None = None,
        probes: Probes | None = None,
        budget: Budget | None = None,
    ) -> None:
        """`crashes` takes in the faults of ours in following the top levels of modules; `budget` is what a run may
        cost, where `budgets` says nothing of its file.
        """
        super().__init__(codebase, api, installed=installed, probes=probes)
        switch = os.environ.get(KEPT_CALLS)
        if switch in ("on", "all"):
            from ddl_lint.analysis.interpreter.language.kept_calls import KeptCalls
            from ddl_lint.analysis.interpreter.language.worth_keeping import Worth

            self.calls = KeptCalls(Worth(is_free=switch == "all"))
        self._usual = budget or Budget()
        self.crashes = crashes if crashes is not None else []
        self._loads: dict[str, _Load] = {}
        self._imports: dict[str, dict[str, None]] = {}
        self._loading: list[str] = []
        self._behind = Closures(self._imports, self._loading)
        """What is reached by those imports."""

        self._acting: set[str] = set()
        """The modules whose import does something in the run that imports them."""

        self._concrete: set[Value] = set()
        """The classes that have no abstract one among themselves and their bases."""

        self._loaded_inside: list[list[range]] = []
        """For each module in `_loading`, the numbers of the objects of those that were followed in the midst of it."""

        self._starting = Context("entry", None, Location("", 0, 0))
        self._is_running = False
        self._started: tuple[str, Names, Names | None] | None = None
        """The script that runs: its name, its names, and those that it has as a module."""

        self._loaded: dict[str, code.Module | None] = {}
        self._named: dict[str, str] = {}
        """The names of those modules, by path."""

        self._seen: dict[str, code.Module] = {}
        self._learnt: tuple[Codebase, int] | None = None
        """The state of the project, and how many of its modules had been looked for, when they were last taken in."""

        self._reads: dict[str, set[code.Read]] = {}
        """What was read of programs to follow the top level of each module."""

        self.asked_for: set[str] = set()
        """The modules whose names were asked for since somebody has emptied this."""

    def turn_to(self, codebase: Codebase) -> None:
        """Go on with another state of the project: forget the modules that have changed, and those that import them."""
        self.codebase = codebase
        self.usages.clear()
        stale = {name for name, module in self._loaded.items() if codebase.module(name) is not module}
        grown = True
        while grown:
            importers = {name for name, imports in self._imports.items() if not stale.isdisjoint(imports)}
            grown = not importers <= stale
            stale |= importers
        changed = {name for name, module in self._seen.items() if codebase.module(name) is not module} | stale
        if changed:
            # What belongs to modules as they were would be kept forever.
            paths = {module.path for name in changed for module in [self._seen.pop(name, None)] if module is not None}
            self.classes = Notes((each, body) for each, body in self.classes.items() if body.module not in changed)
            around = self.inside_of.items()
            self.inside_of = Notes((each, made) for each, made in around if made.location.path not in paths)
            loose = self.loosened.items()
            self.loosened = Notes((each, path) for each, path in loose if path not in paths)
            memoised = self.memoised.items()
            self.memoised = Notes((each, path) for each, path in memoised if path not in paths)
            for path in paths:
                self.spelled_in_modules.pop(path, None)
            self.generators.clear()
        for name in stale:
            self.globals.pop(name, None)
            self._reads.pop(name, None)
            self._imports.pop(name, None)
            self._acting.discard(name)
            load = self._loads.pop(name, None)
            if load is not None:
                self.heap.forget(load.changed)
            self._loaded.pop(name, None)
        if changed and self.calls is not None:
            self.calls.forget()
        if stale:
            self._behind = Closures(self._imports, self._loading)
        self._concrete.clear()

    def modules_behind(self, names: Iterable[str]) -> frozenset[str]:
        """Modules, and all that these import at their top levels."""
        return self._behind.of_all(names)

    def reads_behind(self, names: Iterable[str]) -> set[code.Read]:
        """What was read of programs to follow the top levels of modules."""
        return set[code.Read]().union(*(self._reads.get(name, ()) for name in names))

    def take_in(self, modules: Iterable[code.Module]) -> None:
        """Take in modules, to know which of their functions are worth following."""
        known = list(modules)
        self.relevance.learn(known)
        self.reaches_collective.learn(known)

    @property
    def word_count(self) -> tuple[int, int]:
        """How many words tell by now which functions are worth following; they never become fewer."""
        return self.relevance.size, self.reaches_collective.size

    def words_since(self, count: tuple[int, int]) -> frozenset[str]:
        """The words that have come since there were so many."""
        events, meetings = count
        return self.relevance.since(events) | self.reaches_collective.since(meetings)

    def is_as_relevant(self, one: code.Function, other: code.Function) -> bool:
        """Whether two functions are worth following for the same reasons."""
        return all(words.of(one) is words.of(other) for words in (self.relevance, self.reaches_collective))

    # --- entry points -----------------------------------------------------------------------------------------

    def run_script(self, module: code.Module) -> Run:
        """Follow a file as `python file.py` would."""
        names: Names = Variables({"__name__": Const("__main__")}, module.name)
        self._seen[module.name] = module
        with self._new_run(Run("script", module.name, module.path)) as run, self._as_main(module.name, names):
            self.run_state.imported.add(module.name)
            frame = Frame(module.name, module.path, Cells(names), self._starting)
            with self._budget():
                self.execute(frame, module.body)
        return run

    def each_command(self, follow: Callable[[], Run]) -> list[Run]:
        """Follow a program once for each of the commands that it offers: what one does, the others have not done."""
        runs: list[Run] = []
        try:
            while len(runs) < MOST_OFFERED:
                runs.append(follow())
                taken = self.run_state.choices
                while taken and taken[-1][0] + 1 == taken[-1][1]:
                    taken.pop()
                if not taken:
                    break
                self.prescribed = (*(index for index, _ in taken[:-1]), taken[-1][0] + 1)
        finally:
            self.prescribed = ()
        return runs

    @contextmanager
    def _as_main(self, name: str, names: Names) -> Generator[None]:
        """Let these be the names of a module that is run."""
        self._started = name, names, self.globals.get(name)
        self.globals[name] = names
        try:
            yield
        finally:
            (_, _, as_module), self._started = self._started, None
            if as_module is None:
                del self.globals[name]
            else:
                self.globals[name] = as_module

    def run_entry(self, module: code.Module, name: str) -> Run:
        """Follow a function or method of a module (`main`, `App.run`) as a command does that imports the module; what
        it asks for comes from the command line.
        """
        with self._new_run(Run("script", module.name, module.path, function=name)) as run:
            frame = self._module_frame(module)
            with self._budget():
                first, *rest = name.split(".")
                location = self._starting.location
                value = frame.cells.names.get(first, Unknown((module.name, first)))
                for part in rest:
                    value = self.attribute(frame, value, part, location)
                self.call(frame, value, Arguments(star=True, double_star=True, options=True), location)
        return run

    def run_function(self, module: code.Module, function: FunctionRef) -> Run:
        """Follow a function that no script reaches; its parameters are unknown."""
        with self._new_run(Run("library", module.name, module.path)) as run:
            frame = self._module_frame(module)
            with self._budget():
                self.invoke(frame, function, Arguments(), self._starting.location, "callback", drop_element)
        return run

    def is_worth_a_run(self, method: code.Function) -> bool:
        """Whether something may be found in a method that no script reaches; the forward of a model always counts."""
        return method.name == "forward" or self.relevance.of(method)

    def inherited(self, owner: ClassRef) -> list[code.Function]:
        """The methods that a class, unless it is abstract itself, has from abstract classes of the project."""
        lineage = list(ancestry(self, owner, but=self._concrete))
        if not any(is_abstract(each.definition) for each in lineage if isinstance(each, ClassRef)):
            self._concrete.update(lineage)
            return []
        if is_abstract(owner.definition):
            return []
        found: dict[str, code.Function] = {}
        for base in ancestry(self, owner):
            if isinstance(base, ClassRef):
                for part in base.definition.body:
                    if isinstance(part, code.Function):
                        found.setdefault(part.name, part)
        bases = (base.definition for base in ancestry(self, owner) if isinstance(base, ClassRef))
        theirs = {part for base in bases if is_abstract(base) for part in base.body if isinstance(part, code.Function)}
        return [each for each in found.values() if each in theirs and not _is_special(each)]

    def _asks_for_ranks(self, owner: ClassRef) -> bool:
        """Whether the methods of a class ask which process this is: it is made for jobs of several processes."""
        bodies = [each.definition for each in ancestry(self, owner) if isinstance(each, ClassRef)]
        return any(
            word in self.api.words.rank or self._is_of_ranks(word) for body in bodies for word in mentioned(body)
        )

    def _is_of_ranks(self, word: str) -> bool:
        return self.predicate(word) is not None or isinstance(self.conventional(word), Rank)

    def _called_by_methods(self, owner: ClassRef) -> frozenset[str]:
        """The methods that those of a class, and of the classes that it derives from, call on their object."""
        bodies = [each.definition for each in ancestry(self, owner) if isinstance(each, ClassRef)]
        used = [usage_of_attributes(body).methods for body in bodies]
        return frozenset(name for methods in used for name, done in methods.items() if CALL in done)

    def run_class(self, module: code.Module, owner: ClassRef, methods: Iterable[code.Function]) -> Run:
        """Follow methods of a class that no script reaches, on an instance made with unknown arguments; those that a
        trainer calls, on the instance of a script. Of several methods of one name, the class has the last.

        Those that others of its methods call come last: then they have been followed from there, as they are used.
        """
        with self._new_run(Run("library", module.name, module.path)) as run:
            frame = self._module_frame(module)
            with self._budget():
                location = Location(module.path, owner.definition.name_start, owner.definition.name_start)
                made: Value
                if owner.definition in self.hooked:
                    made, left = self.hooked[owner.definition]
                    self.heap.delegate(made, left)
                else:
                    made = self.call(frame, owner, Arguments(star=True, double_star=True), location)
                if self._asks_for_ranks(owner):
                    self.run_state.deepest_call = DEEPEST_CALL["job"]
                begun = self._starting.location
                named = {each.name: each for each in methods}
                # What a trainer calls comes first: it tells what the methods that it calls are given.
                inner = self._called_by_methods(owner)
                hooks = {name: self._hooks(owner, each) for name, each in named.items()}
                for name, definition in sorted(
                    named.items(), key=lambda each: (hooks[each[0]] is None, each[0] in inner)
                ):
                    self.run_state.follows_hooks = hooks[name] is not None
                    if definition in self.visited:
                        continue
                    method = self.attribute(frame, made, name, location)
                    inputs = self._inputs(frame, owner, made, definition)
                    if isinstance(method, FunctionRef):
                        self.invoke(frame, method, inputs, begun, "callback", drop_element)
                    elif isinstance(method, Object) and method.kind == "guarded":
                        self.call(frame, method, inputs, begun)
        return run

    def _inputs(self, frame: Frame, owner: ClassRef, made: Value, method: code.Function) -> Arguments:
        """The arguments of a method that no code calls: those of a model's `forward` come from the data, those of a
        hook from the trainer.
        """
        required: list[code.Parameter] = []
        for parameter in method.parameters[1:]:
            if parameter.kind != "positional" or parameter.default is not None:
                break
            required.append(parameter)
        if isinstance(made, Object) and made.kind == "model" and method.name == "forward":
            return Arguments([_input(method, each, _may_be_tensor(each)) for each in required], star=True)
        hooks = self._hooks(owner, method)
        if hooks is None:
            return Arguments(star=True)
        site = CallSite(frame, self._starting.location, None, {})
        passed = [evaluate_returns(self, each, site) for each in hooks.arguments]
        rest = (self.conventional(each.name) or _input(method, each, False) for each in required[len(passed) :])
        return Arguments([*passed[: len(required)], *rest])

    def _hooks(self, owner: ClassRef, method: code.Function) -> Hooks | None:
        model = library_model(self, owner)
        hooks = self.api.hooks(model) if model is not None else None
        return hooks if hooks is not None and re.fullmatch(hooks.pattern, method.name) else None

    def _module_frame(self, module: code.Module) -> Frame:
        return Frame(module.name, module.path, Cells(self.module_names(module.name)), self._starting)

    @contextmanager
    def _new_run(self, run: Run) -> Generator[Run]:
        """Whatever becomes of it, the next run starts from the state from which this one did."""
        self.run = run
        budget = self.budgets.get(run.path, self._usual)
        self.run_state = self.new_run_state(budget, budget.steps if run.kind == "script" else budget.library_steps)
        if self._learnt != (self.codebase, self.codebase.looked_for):
            self.take_in(self.codebase.loaded())
            self._learnt = self.codebase, self.codebase.looked_for
        self._starting = Context("entry", None, Location(run.path, 0, 0))
        self.first_of_run, self.loaded = next_number(), []
        mark = self.state.mark()
        self._is_running = True
        try:
            with self._unless_it_fails():
                yield run
        finally:
            self._is_running = False
            run.heap = self.heap.end(mark)
            hooked = self.hooked.items()
            self.hooked = {each: (made, run.heap if left is self.heap else left) for each, (made, left) in hooked}
            spelled = self.spelled_in_modules.items()
            run.in_modules = {path: each for path, each in spelled if self._named.get(path) in self.run_state.imported}
            self.run = Run("library", "", "")  # what is imported between two runs belongs to none of them

    @contextmanager
    def _unless_it_fails(self) -> Generator[None]:
        """What a run has entered that fails may be followed by itself: what the run did there is lost with it."""
        try:
            yield
        except BaseException:
            self.visited.difference_update(self.run_state.followed)
            raise

    @contextmanager
    def _budget(self) -> Generator[None]:
        """Ends a run quietly when its budget is used up."""
        with suppress(Exhausted):
            yield

    # --- the parts --------------------------------------------------------------------------------------------

    # Functions as they are: one that only calls them would cost as much as many an evaluation.
    execute = statements.execute
    evaluate = expressions.evaluate
    assign = expressions.assign
    attribute = expressions.attribute
    call = calls.call
    invoke = calls.invoke

    def module_names(self, name: str) -> Names:
        if self._loading:
            imports = self._imports[self._loading[-1]]
            if name not in imports:
                imports[name] = None
                self._behind.grown()
        self.asked_for.add(name)
        if self.recording is not None:
            self.recording.modules[name] = None
            if self._started is not None and name == self._started[0]:
                self.recording.spoil()
        if name not in self.globals:
            self._load_module(name)
        if name not in self.run_state.imported:
            self._take_part(name)
        return self.globals[name]

    def _take_part(self, name: str) -> None:
        """What importing a module does, the modules that it imports included, happens in what is followed now."""
        if name in self.run_state.imported:
            return
        behind = self._behind.of(name)
        if behind.isdisjoint(self._acting):
            self.run_state.imported |= behind
            return
        self.run_state.imported.add(name)
        for child in self._imports.get(name, ()):
            self._take_part(child)
        load = self._loads.get(name)
        if load is None:  # it is just being loaded
            return
        self.visited |= load.entered
        if not self._is_running and not self._loading:
            return
        if load.elsewhere:
            before = [(names, key, names.get(key)) for names, key, _ in load.elsewhere.values()]
            self.state.take_over(load.elsewhere)
            for names, key, held in before:
                filled = names.get(key)
                if isinstance(held, Table) and isinstance(filled, Table) and isinstance(key, str):
                    self.change_everywhere(key, held, filled)  # who has imported the dict sees what was put into it
        if self.run.kind == "script":
            for event in load.events:
                self.run.events.append(_again(event, len(self.run.events)))

    def _load_module(self, name: str) -> None:
        """Follow the top level of a module, apart from the run that imports it first."""
        names: Names = Variables({"__name__": Const(name)}, name)
        module = self.codebase.module(name)
        self._loaded[name] = module
        if module is None:  # it cannot be read now
            self.globals[name] = names
            return
        self._named[module.path] = name
        run = Run("library", name, module.path)
        self._reads[name] = set()
        with self._apart(run), code.noting(self._reads[name]):
            self.globals[name] = names
            self._seen[name] = module
            self._loading.append(name)
            self._loaded_inside.append([])
            self._imports[name] = {}
            first = next_number()
            start = Location(module.path, 0, 0)
            try:
                with contained(self.crashes, FOLLOWING, start, place_of), self._unless_it_fails(), self._budget():
                    self.execute(Frame(name, module.path, Cells(names), Context("entry", None, start)), module.body)
            finally:
                self._loading.pop()
                others = self._loaded_inside.pop()
                made = range(first, next_number())
                if self._loaded_inside:
                    self._loaded_inside[-1].append(made)
                else:
                    self.loaded.append(made)
            elsewhere = self.state.take_back(self._is_elsewhere(name, first, others))
            changed = {*self.heap.made, *self.state.owners(0)}
            own = self._without_imported(name, elsewhere)
            self._loads[name] = load = _Load(run.events, own, frozenset(self.visited), tuple(changed))
            if load.events or load.elsewhere or load.entered:
                self._acting.add(name)

    def _without_imported(self, name: str, changes: Changes) -> Changes:
        """What the top level of a module has written itself: what those that it imports have, they write again."""
        if not changes:
            return changes
        behind = (self._loads.get(each) for each in self.modules_behind(self._imports[name]) if each != name)
        imported: dict[tuple[int, Any], list[Any]] = defaultdict(list)
        for load in behind:
            for place, (_, _, value) in load.elsewhere.items() if load is not None else ():
                imported[place].append(value)
        return {
            place: change
            for place, change in changes.items()
            if all(value is not change[2] for value in imported.get(place, ()))
        }

    def _is_elsewhere(self, name: str, first: int, inside: Sequence[range]) -> Callable[[Names], bool]:
        """Tells what the top level of a module has written into that is not its own.

        The numbers of its own objects begin at `first`; those that are `inside` are of modules that it has imported.
        """
        written = self.state.changes(0).values()
        bodies = {id(body.names) for classes, _, body in written if classes is self.classes}

        def is_elsewhere(names: Names) -> bool:
            if isinstance(names, OWNED):
                number = names.owner.number
                return number < first or any(number in loaded for loaded in inside)
            if isinstance(names, (Variables, Presences)):
                return (names.names if isinstance(names, Presences) else names).module not in ("", name)
            return not isinstance(names, Notes) and id(names) not in bodies

        return is_elsewhere

    @contextmanager
    def _apart(self, run: Run) -> Generator[None]:
        """Follow something as if nothing of the present run had happened; afterwards that goes on."""
        outer = (self.run_state, self.run, self.state, self.visited, self.heap.history, self.heap.made)
        prescribed, self.prescribed = self.prescribed, ()
        recording, self.recording, self.heap.recording = self.recording, None, None
        with ExitStack() as around:
            if not self._loading:  # else a circle of imports sees what there is
                around.enter_context(self.state.set_aside())
                around.enter_context(self._without_main())
            self.run, self.visited = run, set()
            budget = self.budgets.get(run.path, self._usual)
            self.run_state = self.new_run_state(budget, budget.module_steps)
            began = thread_seconds()
            self.state = self.heap.state = State()
            self.heap.history, self.heap.made = {}, []
            try:
                yield
            finally:
                self.run_state, self.run, self.state, self.visited, self.heap.history, self.heap.made = outer
                self.heap.state = self.state
                self.prescribed = prescribed
                self.recording = self.heap.recording = recording
                self.run_state.deadline += thread_seconds() - began

    @contextmanager
    def _without_main(self) -> Generator[None]:
        """Hide the names of the script that runs: who imports its file gets another module."""
        if self._started is None:
            yield
            return
        name, names, as_module = self._started
        if as_module is None:
            del self.globals[name]
        else:
            self.globals[name] = as_module
        try:
            yield
        finally:
            self._started = name, names, self.globals.get(name)
            self.globals[name] = names

    def class_body(self, ref: ClassRef) -> ClassBody:
        body = self.classes.get(ref.definition)
        if body is None:  # the class statement was not reached in this run
            body = ClassBody([Unknown(("bases", ref.definition.qualname))], {}, [], ref.module, {})
            self.classes[ref.definition] = body
            self.unreached.append(body.names)
        return body


def _is_special(function: code.Function) -> bool:
    return function.name.startswith("__")


def place_of(error: BaseException) -> Location | None:
    """The innermost place of the followed program at which an error was raised."""
    found: Location | None = None
    trace = error.__traceback__
    while trace is not None:
        names = trace.tb_frame.f_locals
        frame, node = names.get("frame"), names.get("statement") or names.get("node")
        if isinstance(frame, Frame) and isinstance(node, code.Node):
            found = frame.at(node)
        trace = trace.tb_next
    return found


def _again(event: Event, order: int) -> Event:
    """An event of a module's top level as part of the run that imports the module."""
    return type(event)(
        event.kind, event.location, event.context, event.operands, event.api, event.result, order, event.requires,
        event.provides, event.constants, event.unseen, event.surplus, event.function, event.collective_when,
        event.traits,
    )  # fmt: skip


@dataclass(frozen=True)
class _Load:
    """What following the top level of a module has given, beside its names."""

    events: Sequence[Event]
    elsewhere: Changes
    """What it has written into what is not its own: attributes of other modules, environment variables."""

    entered: frozenset[code.Function]
    changed: tuple[Object, ...]
    """The objects of its own of which it has written something."""


_DATA = frozenset({DATA})


def _input(method: code.Function, parameter: code.Parameter, from_data: bool) -> Value:
    return Unknown(("parameter", method.qualname, parameter.name), _DATA if from_data else frozenset())


def _may_be_tensor(parameter: code.Parameter) -> bool:
    """Whether a parameter is not declared to be a number, text or list."""
    plain = parameter.annotation
    return not (isinstance(plain, code.Name) and plain.id in ("int", "float", "bool", "str", "list", "dict", "tuple"))
