"""All runs of a project: one from each script, and one for what no script reaches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ddl_lint.analysis.codebase import Codebase
from ddl_lint.analysis.interpreter import Interpreter
from ddl_lint.analysis.machine import Hooked, Installed
from ddl_lint.analysis.view import RunView
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.json_files import JsonFiles
from ddl_lint.program import code
from ddl_lint.program.trace import Run
from ddl_lint.program.values import ClassRef, FunctionRef, Object, Value
from ddl_lint.timing import stage


@dataclass(frozen=True)
class _Unit:
    """What was found by following one script, or what no script reaches of one module; and what that hangs on."""

    runs: tuple[RunView, ...]
    read: Mapping[str, code.Module | None]
    """The modules that were looked into, by name."""

    before: object
    """What had to be as it was, beside those."""

    entered: frozenset[code.Function]
    hooked: Mapping[code.Class, Hooked]


_Definitions: TypeAlias = tuple[frozenset[code.Function], tuple[code.Class, ...]]
"""The functions of a module of which library runs are made, and its classes."""


class Follower:
    """Follows the runs of a project; after a change, again only those that it concerns."""

    def __init__(self, api: ApiIndex, installed: Installed | None = None) -> None:
        self.api = api
        self._installed = installed
        self._interpreter: Interpreter | None = None
        self._units: dict[tuple[str, str], _Unit] = {}
        self._json_files = JsonFiles()
        self._definitions: dict[code.Module, _Definitions] = {}

    @property
    def documents(self) -> list[Path]:
        """The files beside the program that the runs have asked for."""
        return self._json_files.looked_at

    def follow(self, codebase: Codebase, names: Iterable[str], json_files: JsonFiles | None = None) -> list[RunView]:
        """The runs that start in the modules `names`, in the order of the names.

        `json_files` are those that the program may read.

        Of two states of a project, a module that has not changed must be the same object.
        """
        interpreter = self._interpreter
        files = json_files or JsonFiles()
        is_current = self._json_files.is_current(files)
        if interpreter is None or codebase.sources != interpreter.codebase.sources or not is_current:
            # With other files, any import may mean something else.
            self._json_files = files
            interpreter = self._interpreter = Interpreter(codebase, self.api, installed=self._installed)
            self._units = {}
        modules = [module for module in (codebase.module(name) for name in sorted(names)) if module is not None]
        interpreter.json_files = self._json_files
        interpreter.turn_to(codebase)
        interpreter.take_in(modules)
        self._definitions = {each: self._definitions.get(each) or _definitions(each) for each in modules}
        imported = frozenset(_imported(codebase, modules))
        entered: set[code.Function] = set()
        hooked: dict[code.Class, Hooked] = {}
        units: dict[tuple[str, str], _Unit] = {}
        for module in modules:
            if is_script(module, imported):
                with stage("follow", module.path):
                    units["script", module.name] = unit = self._script(interpreter, module)
                entered |= unit.entered
                hooked = {**unit.hooked, **hooked}
        for module in modules:
            with stage("follow", module.path):
                units["library", module.name] = unit = self._library(interpreter, module, entered, hooked)
            entered |= unit.entered
        self._units = units
        return [run for unit in units.values() for run in unit.runs]

    def _script(self, interpreter: Interpreter, module: code.Module) -> _Unit:
        known = self._known(("script", module.name), interpreter, None)
        if known is not None:
            return known
        _begin(interpreter, set(), {})
        runs = [interpreter.run_script(module)]
        return _unit(interpreter, module, runs, None, frozenset())

    def _library(
        self,
        interpreter: Interpreter,
        module: code.Module,
        entered: set[code.Function],
        hooked: Mapping[code.Class, Hooked],
    ) -> _Unit:
        """What no script, and no module before, has entered."""
        functions, classes = self._definitions[module]
        defined = tuple((each, hooked[each]) for each in classes if each in hooked)
        own = frozenset(each for each in functions if each in entered)
        before = (own, defined)
        known = self._known(("library", module.name), interpreter, before)
        if known is not None:
            return known
        _begin(interpreter, set(own), dict(defined))
        runs = [run for run in _library_runs(interpreter, module) if run.events]
        return _unit(interpreter, module, runs, before, own)

    def _known(self, place: tuple[str, str], interpreter: Interpreter, before: object) -> _Unit | None:
        """What was found before, if nothing has changed that it hangs on."""
        unit = self._units.get(place)
        if unit is None or unit.before != before:
            return None
        codebase = interpreter.codebase
        return unit if all(codebase.module(name) is module for name, module in unit.read.items()) else None


def _begin(interpreter: Interpreter, entered: set[code.Function], hooked: dict[code.Class, Hooked]) -> None:
    interpreter.asked_for = set()
    interpreter.visited = entered
    interpreter.hooked = hooked


def _unit(
    interpreter: Interpreter,
    module: code.Module,
    runs: Iterable[Run],
    before: object,
    entered: Collection[code.Function],
) -> _Unit:
    read = interpreter.modules_behind({module.name, *interpreter.asked_for})
    return _Unit(
        tuple(RunView(run, frozenset(read)) for run in runs),
        {name: interpreter.codebase.module(name) for name in read},
        before,
        frozenset(interpreter.visited.difference(entered)),
        dict(interpreter.hooked),
    )


def _definitions(module: code.Module) -> _Definitions:
    return frozenset(_all_functions(module)), tuple(each for each in module.body if isinstance(each, code.Class))


def _all_functions(module: code.Module) -> Iterator[code.Function]:
    """The functions and methods of which library runs are made."""
    for statement in module.body:
        if isinstance(statement, code.Function):
            yield statement
        elif isinstance(statement, code.Class):
            yield from (part for part in statement.body if isinstance(part, code.Function))


def _imported(codebase: Codebase, modules: Iterable[code.Module]) -> Iterator[str]:
    for module in modules:
        for name in module.imported:
            found = codebase.find(name, module.name) if name not in codebase else name
            if found is not None:
                yield found


def is_script(module: code.Module, imported: frozenset[str]) -> bool:
    """Whether somebody starts this file: it has a main guard, or acts at module level and nobody imports it."""
    if any(_is_main_guard(statement) for statement in module.body):
        return True
    if module.is_package or module.name in imported or module.name.rpartition(".")[2] in ("conftest", "setup"):
        return False
    return any(map(_acts, module.body))


def _acts(statement: code.Statement) -> bool:
    """Whether a statement at module level does something, rather than define or import."""
    if isinstance(statement, code.If):
        return any(map(_acts, (*statement.body, *statement.orelse)))
    called = isinstance(statement, code.Evaluate) and isinstance(statement.value, code.Call)
    return called or isinstance(statement, (code.For, code.While, code.With))


def _is_main_guard(statement: code.Statement) -> bool:
    if not isinstance(statement, code.If) or not isinstance(statement.test, code.Compare):
        return False
    sides = [statement.test.left, *(side for _, side in statement.test.comparisons)]
    return any(isinstance(side, code.Name) and side.id == "__name__" for side in sides)


def follow_scripts(
    codebase: Codebase,
    api: ApiIndex,
    names: Iterable[str],
    installed: Installed | None = None,
    watched: frozenset[code.Statement] = frozenset(),
) -> list[Run]:
    """The runs of these modules as somebody starts them, in the order of the names.

    Each time one of the statements `watched` is come to, the run has an event `reach` there.
    """
    interpreter = Interpreter(codebase, api, installed=installed)
    interpreter.watched = watched
    modules = [module for module in (codebase.module(name) for name in sorted(names)) if module is not None]
    interpreter.take_in(modules)
    return [interpreter.run_script(module) for module in modules]


def follow_function(
    codebase: Codebase,
    api: ApiIndex,
    module: code.Module,
    qualname: str,
    installed: Installed | None = None,
    watched: frozenset[code.Statement] = frozenset(),
) -> Run | None:
    """A function or method (`Class.method`) of a module by itself, with unknown arguments; None when there is none.

    `watched` as in `follow_scripts`.
    """
    interpreter = Interpreter(codebase, api, installed=installed)
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
            return interpreter.run_class(module, _class_of(names.get(first), statement, module.name), [method])
    return None


def definitions(body: Iterable[code.Statement]) -> Iterator[code.Function | code.Class]:
    """The functions and classes that a block defines, under conditions too."""
    for statement in body:
        if isinstance(statement, (code.Function, code.Class)):
            yield statement
        elif isinstance(statement, code.If):
            yield from definitions((*statement.body, *statement.orelse))
        elif isinstance(statement, code.Try):
            handled = (part for handler in statement.handlers for part in handler.body)
            yield from definitions((*statement.body, *handled, *statement.orelse))


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


def _library_runs(interpreter: Interpreter, module: code.Module) -> Iterator[Run]:
    """Functions and classes of a module that no earlier run has entered."""
    names = interpreter.module_names(module.name)
    for statement in module.body:
        if isinstance(statement, code.Function) and statement not in interpreter.visited:
            if not interpreter.relevance.of(statement):
                continue
            yield interpreter.run_function(module, _function_of(names.get(statement.name), statement, module.name))
        elif isinstance(statement, code.Class):
            methods = [part for part in statement.body if isinstance(part, code.Function)]
            unseen = [method for method in methods if method not in interpreter.visited]
            if not unseen or not any(map(interpreter.is_worth_a_run, methods)):
                continue
            owner = _class_of(names.get(statement.name), statement, module.name)
            yield interpreter.run_class(module, owner, [method.name for method in unseen])


def _function_of(value: Value | None, statement: code.Function, module: str) -> FunctionRef:
    """The function that a name of a module stands for, looked for behind a decorator."""
    if isinstance(value, Object):
        value = value.given.get("function")
    if not isinstance(value, FunctionRef) or value.function is not statement:
        return FunctionRef(statement, module)
    return value


def _class_of(value: Value | None, statement: code.Class, module: str) -> ClassRef:
    return value if isinstance(value, ClassRef) else ClassRef(statement, module)
