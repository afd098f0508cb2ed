"""Where the programs of a project begin: files that somebody starts, and functions that are started from outside.

A *script* is followed from its first statement, as `python file.py` would. Functions are entries, too: those that a
console script names, and those that look like one, though the project does not show who starts them: a `main` that
nobody calls, or a function behind a decorator that cannot be seen, in a module that nobody imports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal, TypeAlias

from ddl_lint.analysis.codebase import Codebase, name_of
from ddl_lint.analysis.machine import Machine
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.console_scripts import ConsoleScript
from ddl_lint.program import code
from ddl_lint.program.trace import Run
from ddl_lint.source.span import Location

EntryKind: TypeAlias = Literal["script", "notebook", "console script", "main", "decorated"]


@dataclass(frozen=True)
class Entry:
    """Where a program begins. `function` is empty for a file that is run from its first statement, else a function or
    method of the module; `reason` says why we think so.
    """

    module: str
    kind: EntryKind
    reason: str
    function: str = ""

    is_sure: bool = True
    """Else it is one only if the function sets up the job by itself: what somebody calls finds it done."""


@dataclass(frozen=True)
class Program:
    """What became of one entry, of a library module, or of a file that was not followed.

    `kind` is that of the entry, `library` for code that no entry reaches, `none` for a file that was not followed.
    `hidden` is a call that cannot be seen in a script in which nothing else was found.
    """

    path: str
    kind: str
    entry: str
    followed: bool
    reason: str
    hidden: Location | None = None


# --- scripts ------------------------------------------------------------------------------------------------------


def script_entry(module: code.Module, imported: frozenset[str] = frozenset()) -> Entry | None:
    """The entry of a file that somebody starts: it has a main guard, or acts at module level and none of the modules
    that are `imported` is it. None for other files.
    """
    kind: EntryKind = "notebook" if is_notebook(module.path) else "script"
    if any(_is_main_guard(statement) for statement in module.body):
        return Entry(module.name, kind, "main guard")
    if module.is_package or module.name in imported or _last(module.name) in _NEVER_STARTED:
        return None
    if any(map(_acts, module.body)):
        return Entry(module.name, kind, "cells" if kind == "notebook" else "acts at module level, and nobody imports it")
    return None


def imported_modules(codebase: Codebase, modules: Iterable[code.Module]) -> frozenset[str]:
    """The modules of the project that these import."""
    return frozenset(_imported(codebase, modules))


def is_notebook(path: str) -> bool:
    """Whether a file is a notebook."""
    return path.lower().endswith(".ipynb")


_NEVER_STARTED = ("conftest", "setup")


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _imported(codebase: Codebase, modules: Iterable[code.Module]) -> Iterator[str]:
    for module in modules:
        for name in module.imported:
            found = codebase.find(name, module.name) if name not in codebase else name
            if found is not None:
                yield found


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


# --- functions ----------------------------------------------------------------------------------------------------


def console_entries(codebase: Codebase, root: Path, scripts: Iterable[ConsoleScript]) -> list[Entry]:
    """The entries that console scripts name, as far as their modules are in the project."""
    found: list[Entry] = []
    for script in scripts:
        beside = name_of(script.path.with_suffix(".py"), root).name
        module = codebase.find(script.module, beside)
        if module is not None and module in codebase.sources:
            where = f"{script.path.name}:{script.line}"
            found.append(Entry(module, "console script", f'console script "{script.name}" of {where}', script.function))
    return found


def likely_entries(m: Machine, module: code.Module, imported: frozenset[str]) -> list[Entry]:
    """The functions of a module that somebody seems to start, those that an earlier run has entered left out.

    What the top level of the module does must have been followed before.
    """
    if module.is_package or module.name in imported or _is_test(module):
        return []
    functions = [each for each in definitions(module.body) if isinstance(each, code.Function)]
    return [
        entry
        for function in functions
        if function not in m.visited and not function.is_generator and not _is_called(function, functions)
        for entry in [_likely(m, module, function)]
        if entry is not None
    ]


def _likely(m: Machine, module: code.Module, function: code.Function) -> Entry | None:
    if function in m.loosened:
        return Entry(module.name, "decorated", "its decorator cannot be seen, and nobody calls it", function.name, False)
    if m.api.names_like("entry_function_patterns").search(function.name) and _asks_for_options(m, function):
        return Entry(module.name, "main", "nobody calls it, and nobody imports the module", function.name, False)
    return None


def _asks_for_options(m: Machine, function: code.Function) -> bool:
    """Whether a function can be called with what a command line, or what starts processes, gives."""
    pattern = m.api.names_like("entry_parameter_patterns")
    return all(
        parameter.default is not None
        or parameter.kind in ("var_positional", "var_keyword")
        or pattern.search(parameter.name) is not None
        or m.conventional(parameter.name) is not None
        for parameter in function.parameters
    )


def _is_called(function: code.Function, functions: Iterable[code.Function]) -> bool:
    return any(function.name in other.mentions for other in functions if other is not function)


def _is_test(module: code.Module) -> bool:
    """Whether a runner of tests starts what is in a module."""
    last = _last(module.name)
    return last in _NEVER_STARTED or last.startswith("test_") or last.endswith("_test")


def sets_up_job(run: Run, entry: Entry) -> bool:
    """Whether what a function does is a program of its own: it starts processes or creates their group; for a `main`
    it is enough that it works with other processes.
    """
    for event in run.events:
        if event.provides & _JOB or event.kind in ("start_processes", "init_process_group"):
            return True
        if entry.function == _MAIN and (event.together not in ("", "never") or event.requires & _JOB):
            return True
    return False


_JOB = frozenset({"process_group", "launch"})
_MAIN = "main"


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


# --- what became of them ------------------------------------------------------------------------------------------


def followed_entry(module: code.Module, entry: Entry, run: Run) -> Program:
    """What is told of an entry that was followed."""
    reason = f"{entry.reason}; stopped at the step limit" if run.exhausted else entry.reason
    seen = any(event.together or event.requires or event.provides for event in run.events)
    hidden = run.unseen_calls[0] if run.unseen_calls and not seen else None
    return Program(module.path, entry.kind, entry.function, True, reason, hidden)


def followed_library(module: code.Module, runs: Sequence[Run], entered: int, started: bool) -> Program | None:
    """What is told of a module beside its entries; `entered` are its functions that other runs have come to."""
    if runs:
        return Program(module.path, "library", "", True, "library code, followed function by function")
    if started:
        return None
    if entered:
        return Program(module.path, "library", "", True, "followed from where it is called")
    return Program(module.path, "none", "", False, "nothing in it reaches a call that ddl-lint knows")


def not_followed(data: Mapping[str, bytes | None], codes: Mapping[str, str]) -> list[Program]:
    """What is told of files that were left out: those that cannot be read, and those that look like programs."""
    return [
        Program(path, "none", "", False, codes.get(path, "imports no framework, and nothing that imports one"))
        for path, content in data.items()
        if content is None or may_start(content)
    ]


_STARTS = re.compile(rb"^[A-Za-z_][\w.]*\(", re.MULTILINE)


def may_start(data: bytes) -> bool:
    """Whether a file may be a script, to judge by its bytes."""
    return b"__main__" in data or _STARTS.search(data) is not None


def name_of_file(path: str) -> str:
    """The last part of a path."""
    return PurePath(path).name
