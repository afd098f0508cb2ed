"""Where the programs of a project begin: files that somebody starts, and functions that are started from outside.

A *script* is followed from its first statement, as `python file.py` would. Functions are entries, too: those that a
console script names, and those that look like one, though the project does not show who starts them: a `main` that
no code calls, or a function under a decorator that cannot be seen, in a module that no other imports.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from ddl_lint.analysis.interpreter.project.codebase import Codebase, name_of
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.console_scripts import ConsoleScript
from ddl_lint.program import code
from ddl_lint.program.followed import Coverage
from ddl_lint.program.trace import Event, Run
from ddl_lint.program.values import Const

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


# --- scripts ------------------------------------------------------------------------------------------------------


def script_entry(
    module: code.Module, imported: frozenset[str] = frozenset(), launched: Collection[str] = ()
) -> Entry | None:
    """The entry of a file that somebody starts: it has a main guard, or acts at module level and none of the modules
    that are `imported` is it, or is one of the scripts (paths) that are `launched`. None for other files.
    """
    if replaces_what_it_uses(module):
        return None
    kind: EntryKind = "notebook" if is_notebook(module.path) else "script"
    if any(_is_main_guard(statement) for statement in module.body):
        return Entry(module.name, kind, "main guard")
    if module.path in launched and not module.is_package:
        return Entry(module.name, kind, "a launch line starts it")
    if module.is_package or module.name in imported or _last(module.name) in _NEVER_STARTED:
        return None
    if any(map(_acts, module.body)):
        return Entry(
            module.name, kind, "cells" if kind == "notebook" else "runs code at module level, and no module imports it"
        )
    return None


def replaces_what_it_uses(module: code.Module) -> bool:
    """Whether a module is a test that puts something else in the place of what the program uses: what it calls is then
    not what it names.
    """
    return is_test(module) and not _REPLACING.isdisjoint(module.imported)


def imported_modules(codebase: Codebase, modules: Iterable[code.Module]) -> frozenset[str]:
    """The modules of the project that these import."""
    return frozenset(_imported(codebase, modules))


def is_notebook(path: str) -> bool:
    """Whether a file is a notebook."""
    return path.lower().endswith(".ipynb")


_NEVER_STARTED = ("conftest", "setup")
_REPLACING = frozenset({"mock", "unittest.mock"})


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _imported(codebase: Codebase, modules: Iterable[code.Module]) -> Iterator[str]:
    for module in modules:
        for name in module.imported:
            found = codebase.find(name, module.name) if name not in codebase else name
            if found is not None and found != module.name:  # a file that is called like the library that it imports
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


def is_single_process(api: ApiIndex, entry: Entry, run: Run) -> bool:
    """Whether a program is one process: a notebook, unless a launcher in it says otherwise, or it joins a group of
    processes whose size something outside of it decides.
    """
    if entry.kind != "notebook":
        return False
    if any(event.kind == "start_processes" or "launch" in event.provides for event in run.events):
        return False
    is_alone = any(event.kind == "set_environment" and says_one(api, event) for event in run.events)
    return is_alone or not any(_joins(api, event) for event in run.events)


def _joins(api: ApiIndex, event: Event) -> bool:
    """Whether the default group is created with what may be several processes."""
    creates = event.kind == "init_process_group" and not api.group_of(event.api)
    return creates and event.operands.get("world_size") != Const(1)


def says_one(api: ApiIndex, event: Event) -> bool:
    """Whether the program tells itself that there is one process: `os.environ["WORLD_SIZE"] = "1"`."""
    variable = event.operands.get("variable")
    meaning = api.conventions.environment.get(str(variable.value)) if isinstance(variable, Const) else None
    is_size = meaning is not None and (meaning.kind, meaning.value) == ("world_size", "global")
    return is_size and event.operands.get("value") in (Const("1"), Const(1))


# --- functions ----------------------------------------------------------------------------------------------------


def console_entries(codebase: Codebase, root: Path, scripts: Iterable[ConsoleScript]) -> list[Entry]:
    """The entries that console scripts name. Where the project has no such module, `module` is what is written."""
    found: list[Entry] = []
    for script in scripts:
        beside = name_of(script.path.with_suffix(".py"), root).name
        module = codebase.find(script.module, beside) or script.module
        reason = f'console script "{script.name}" of {script.path.name}:{script.line}'
        found.append(Entry(module, "console script", reason, script.function))
    return found


def unfollowed_entries(entries: Iterable[Entry], followed: frozenset[str], codebase: Codebase) -> Iterator[Coverage]:
    """What is reported about entries in modules that were not followed."""
    for entry in entries:
        source = codebase.sources.get(entry.module)
        if source is None:
            reason = f"{entry.reason}; the project has no such module"
            yield Coverage(entry.module, entry.kind, entry.function, False, reason)
        elif entry.module not in followed:
            reason = f"{entry.reason}; the file is not checked, or imports no framework"
            yield Coverage(source.path, entry.kind, entry.function, False, reason)


def is_test(module: code.Module) -> bool:
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
        if entry.function == _MAIN and (event.collective_when is not None or event.requires & _JOB):
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


def followed_entry(module: code.Module, entry: Entry, runs: Sequence[Run]) -> Coverage:
    """What is reported about an entry that was followed, in a run for each command that it offers."""
    reason = f"{entry.reason}; one process" if all(run.single_process for run in runs) else entry.reason
    if len(runs) > 1:
        reason += f"; {len(runs)} commands"
    left = ""
    for cut in [run.cut for run in runs if run.cut is not None][:1]:
        reason += f"; stopped after {cut.limit}"
        left = cut.limit + (f" in `{cut.function.name}`" if cut.function is not None else "")
    seen = any(event.collective_when or event.requires or event.provides for run in runs for event in run.events)
    work = [call for run in runs for call in run.unseen_work]
    unseen = [*work, *(call for run in runs for call in run.unseen_calls)]
    hidden = unseen[0] if unseen and not seen else None
    hides_work = hidden is not None and bool(work)
    return Coverage(module.path, entry.kind, entry.function, True, reason, hidden, hides_work, left)


def followed_library(module: code.Module, runs: Sequence[Run], entered: int, started: bool) -> Coverage | None:
    """What is reported about a module beside its entries; `entered` are its functions that other runs have come to."""
    if runs:
        return Coverage(module.path, "library", "", True, "library code, followed function by function")
    if started:
        return None
    if entered:
        return Coverage(module.path, "library", "", True, "followed from where it is called")
    return Coverage(module.path, "none", "", False, "nothing in it reaches a call that ddl-lint knows")


def left_out(contents: Mapping[str, bytes | None]) -> list[Coverage]:
    """What is reported about files that were not followed: those that cannot be read, those that look like programs."""
    reason = "imports no framework, and no module that does"
    return [
        Coverage(path, "none", "", False, "cannot be read" if content is None else reason)
        for path, content in contents.items()
        if content is None or may_start(content)
    ]


_STARTS = re.compile(rb"^[A-Za-z_][\w.]*\(", re.MULTILINE)


def may_start(data: bytes) -> bool:
    """Whether a file may be a script, to judge by its bytes."""
    return b"__main__" in data or _STARTS.search(data) is not None
