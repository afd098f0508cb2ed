"""Follows a program from its entry points, with abstract values, and records what it does."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

from ddl_lint.analysis import calls, expressions, statements
from ddl_lint.analysis.classes import library_model
from ddl_lint.analysis.codebase import Codebase
from ddl_lint.analysis.machine import Arguments, ClassBody, Exhausted, Frame, Installed, Machine
from ddl_lint.analysis.operations import objects_in
from ddl_lint.analysis.returned import given_by
from ddl_lint.analysis.state import Changes, Names, State
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.model import Hooks
from ddl_lint.program import code
from ddl_lint.program.trace import Context, Event, Run
from ddl_lint.program.values import Cells, ClassRef, Const, FunctionRef, Object, Unknown, Value, Variables
from ddl_lint.source.span import Location

STEPS = {"script": 40_000, "library": 6_000}
"""Statements that one run may follow."""

MODULE_STEPS = 20_000
"""Statements that the top level of one module may follow."""


class Interpreter(Machine):
    """Runs of one project, one after the other. What a module does when it is imported is followed once for all."""

    def __init__(self, codebase: Codebase, api: ApiIndex, *, installed: Installed | None = None) -> None:
        super().__init__(codebase, api, installed=installed)
        self._module_events: dict[str, list[Event]] = {}
        self._imports: dict[str, list[str]] = {}
        self._loading: list[str] = []
        self._imported: set[str] = set()
        self._starting = Context("entry", None, Location("", 0, 0))
        self._loaded: dict[str, code.Module | None] = {}
        self._seen: dict[str, code.Module] = {}
        self._learnt: tuple[Codebase, int] | None = None
        """The state of the project, and how many of its modules had been looked for, when they were last taken in."""

        self._held: dict[str, tuple[Names, set[int]]] = {}
        """For modules, their names and what `_held_by_module` knows of them."""

        self.asked_for: set[str] = set()
        """The modules whose names were asked for since somebody has emptied this."""

    def turn_to(self, codebase: Codebase) -> None:
        """Go on with another state of the project: forget the modules that have changed, and those that import them."""
        self.codebase = codebase
        stale = {name for name, module in self._loaded.items() if codebase.module(name) is not module}
        grown = True
        while grown:
            importers = {name for name, imports in self._imports.items() if not stale.isdisjoint(imports)}
            grown = not importers <= stale
            stale |= importers
        changed = {name for name, module in self._seen.items() if codebase.module(name) is not module} | stale
        if changed:
            # What belongs to modules as they were would be kept for ever.
            paths = {module.path for name in changed for module in [self._seen.pop(name, None)] if module is not None}
            self.classes = {each: body for each, body in self.classes.items() if body.module not in changed}
            self.inside_of = {each: made for each, made in self.inside_of.items() if made.location.path not in paths}
            self.loosened = {each: path for each, path in self.loosened.items() if path not in paths}
            for path in paths:
                self.spelled_in_modules.pop(path, None)
            self.generators.clear()
        for name in stale:
            self.globals.pop(name, None)
            self._imports.pop(name, None)
            self._module_events.pop(name, None)
            self._loaded.pop(name, None)

    def modules_behind(self, names: Iterable[str]) -> set[str]:
        """Modules, and all that these import at their top levels."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(self._imports.get(name, ()))
        return found

    def take_in(self, modules: Iterable[code.Module]) -> None:
        """Take in modules, to know which of their functions are worth following."""
        known = list(modules)
        self.relevance.learn(known)
        self.gatherings.learn(known)

    # --- entry points -----------------------------------------------------------------------------------------

    def run_script(self, module: code.Module) -> Run:
        """Follow a file as `python file.py` would."""
        names: Names = Variables({"__name__": Const("__main__")})
        before = self.globals.get(module.name)
        self._seen[module.name] = module
        with self._new_run(Run("script", module.name, module.path)) as run:
            self.globals[module.name] = names
            self._imported.add(module.name)
            frame = Frame(module.name, module.path, Cells(names), self._starting)
            with self._budget():
                self.execute(frame, module.body)
        if before is None:
            del self.globals[module.name]
        else:
            self.globals[module.name] = before
        return run

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
                self.invoke(frame, function, Arguments(), self._starting.location, "callback", _ignore)
        return run

    def is_worth_a_run(self, method: code.Function) -> bool:
        """Whether something may be found in a method that no script reaches; the forward of a model always counts."""
        return method.name == "forward" or self.relevance.of(method)

    def run_class(self, module: code.Module, owner: ClassRef, names: Sequence[str]) -> Run:
        """Follow methods of a class that no script reaches, on an instance made with unknown arguments; those that a
        trainer calls, on the instance of a script.
        """
        with self._new_run(Run("library", module.name, module.path)) as run:
            frame = self._module_frame(module)
            with self._budget():
                location = Location(module.path, owner.definition.name_start, owner.definition.name_start)
                made: Value | None = self.hooked.get(owner.definition)
                if made is None:
                    made = self.call(frame, owner, Arguments(star=True, double_star=True), location)
                begun = self._starting.location
                methods = {part.name: part for part in owner.definition.body if isinstance(part, code.Function)}
                for name in names:
                    if methods[name] in self.visited:
                        continue
                    method = self.attribute(frame, made, name, location)
                    inputs = self._inputs(frame, owner, made, methods[name])
                    if isinstance(method, FunctionRef):
                        self.invoke(frame, method, inputs, begun, "callback", _ignore)
                    elif isinstance(method, Object) and method.kind == "guarded":
                        self.call(frame, method, inputs, begun)
        return run

    def _inputs(self, frame: Frame, owner: ClassRef, made: Value, method: code.Function) -> Arguments:
        """The arguments of a method that nobody calls: those of a model's `forward` come from the data, those of a
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
        passed = [given_by(self, frame, each, {}, None, self._starting.location) for each in hooks.arguments]
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
        self.run = run
        self.steps = STEPS[run.kind]
        self.facts = {}
        self.stack.clear()
        self.called_back.clear()
        self.followed.clear()
        self.effort.clear()
        self.called_steps = 0
        self._ordered.clear()
        self.meetings.clear()
        self.works = False
        self.unfinished.clear()
        if self._learnt != (self.codebase, self.codebase.looked_for):
            self.take_in(self.codebase.loaded())
            self._learnt = self.codebase, self.codebase.looked_for
        self.asked = {}
        self._imported.clear()
        self._starting = Context("entry", None, Location(run.path, 0, 0))
        mark = self.state.mark()
        yield run
        changes = self.state.changes(mark) if run.kind == "script" else {}
        self.state.undo(mark)
        self._keep_attributes(changes)
        run.in_modules = self.spelled_in_modules
        self.run = Run("library", "", "")  # what is imported between two runs belongs to none of them

    def _keep_attributes(self, changes: Changes) -> None:
        """Leave on the objects of a finished run what was stored on them, for the rules to see."""
        if not changes:
            return
        behind = self._imported.union(self.asked_for).intersection(self.globals)
        lasting = {id(self.environment), id(self.unknown_attributes)}.union(*map(self._held_by_module, behind))
        new = {place for place, (names, _, _) in changes.items() if not names and id(names) not in lasting}
        for place in new:
            names, key, value = changes[place]
            if value is not None:
                names[key] = value

    def _held_by_module(self, name: str) -> set[int]:
        """The identities of the attributes of the objects that the names of a module stand for."""
        names = self.globals[name]
        known = self._held.get(name)
        if known is None or known[0] is not names:
            values = names.values()
            held = {id(held.attributes) for value in values for held in objects_in(value, deep=False)}
            known = self._held[name] = names, held
        return known[1]

    @contextmanager
    def _budget(self) -> Generator[None]:
        """Ends a run quietly when its budget is used up, and says so in the run."""
        try:
            yield
        except Exhausted:
            self.run.exhausted = True

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
            self._imports[self._loading[-1]].append(name)
        self.asked_for.add(name)
        if name not in self.globals:
            self._load_module(name)
        if not self._loading and self.run.kind == "script":
            self._replay(name)
        return self.globals[name]

    def _replay(self, name: str) -> None:
        """What a module and its own imports do at import, as part of the run that imports it first."""
        if name in self._imported:
            return
        self._imported.add(name)
        for child in self._imports.get(name, ()):
            self._replay(child)
        for event in self._module_events.get(name, ()):
            self.run.events.append(_again(event, len(self.run.events)))

    def _load_module(self, name: str) -> None:
        """Follow the top level of a module, apart from the run that imports it first."""
        names: Names = Variables({"__name__": Const(name)})
        self.globals[name] = names
        module = self._loaded[name] = self.codebase.module(name)
        if module is None:
            return
        self._seen[name] = module
        run = Run("library", name, module.path)
        outer = (self.run, self.state, self.facts, self.steps, self.stack)
        self.run, self.state, self.facts, self.steps, self.stack = run, State(), {}, MODULE_STEPS, []
        self._loading.append(name)
        self._imports[name] = []
        context = Context("entry", None, Location(module.path, 0, 0))
        with self._budget():
            self.execute(Frame(name, module.path, Cells(names), context), module.body)
        self._loading.pop()
        written = {id(names) for names, _, _ in self.state.changes(0).values()}
        self._held = {each: held for each, held in self._held.items() if id(held[0]) not in written}
        self.run, self.state, self.facts, self.steps, self.stack = outer
        self._module_events[name] = run.events

    def class_body(self, ref: ClassRef) -> ClassBody:
        body = self.classes.get(ref.definition)
        if body is None:  # the class statement was not reached in this run
            body = ClassBody([Unknown(("bases", ref.definition.qualname))], {}, [], ref.module, {})
            self.classes[ref.definition] = body
        return body


def _again(event: Event, order: int) -> Event:
    """An event of a module's top level as part of the run that imports the module."""
    return Event(
        event.kind, event.location, event.context, event.operands, event.api, event.result, order, event.requires,
        event.provides, event.constants, event.unseen, event.surplus, event.function, event.together,
        event.traits,
    )  # fmt: skip


_DATA = frozenset({"data"})


def _input(method: code.Function, parameter: code.Parameter, from_data: bool) -> Value:
    return Unknown(("parameter", method.qualname, parameter.name), _DATA if from_data else frozenset())


def _may_be_tensor(parameter: code.Parameter) -> bool:
    """Whether a parameter is not declared to be a number, text or list."""
    plain = parameter.annotation
    return not (isinstance(plain, code.Name) and plain.id in ("int", "float", "bool", "str", "list", "dict", "tuple"))


def _ignore(value: Value) -> None:
    """What happens at a `yield` when nobody consumes the generator."""
    del value
