"""All runs of a project: one from each script, and one for what no script reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ddl_lint.analysis.codebase import Codebase
from ddl_lint.analysis.interpreter import Interpreter
from ddl_lint.analysis.machine import Installed
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.program import code
from ddl_lint.program.trace import Run
from ddl_lint.program.values import ClassRef, FunctionRef, Object, Value


def follow(codebase: Codebase, api: ApiIndex, names: Iterable[str], installed: Installed | None = None) -> list[Run]:
    """The runs that start in the modules `names`, in the order of the names."""
    interpreter = Interpreter(codebase, api, installed=installed)
    modules = [module for module in (codebase.module(name) for name in sorted(names)) if module is not None]
    interpreter.take_in(modules)
    imported = frozenset(_imported(codebase, modules))
    runs: list[Run] = []
    for module in modules:
        if is_script(module, imported):
            runs.append(interpreter.run_script(module))
    for module in modules:
        runs.extend(run for run in _library_runs(interpreter, module) if run.events)
    return runs


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
