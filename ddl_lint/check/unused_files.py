"""Which files no job of a project comes to, to judge by who names them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import PurePath

from ddl_lint.analysis.interpreter.project.entries import is_notebook
from ddl_lint.jobs.named_files import NamedFiles
from ddl_lint.jobs.project_jobs import Jobs
from ddl_lint.jobs.words import Command


def unused_file(
    path: str,
    programs: Iterable[str],
    jobs: Jobs,
    named: NamedFiles,
    mentions: Callable[[str, str], bool],
    *,
    is_package: bool = True,
) -> str:
    """Why no job comes to a file, as a half sentence; empty where one may. A project that says nothing of how it is
    used says nothing of this file, either.

    Args:
        path: A program, or a notebook, of the project.
        programs: All of them.
        jobs: What launch files and pages say.
        named: Which launch files something names.
        mentions: Whether a word is in one of the programs.
        is_package: Whether others install the project, and may import its modules.
    """
    if is_notebook(path):
        return "" if _is_executed(path, jobs) else "only a cell fails, of a notebook that no command runs as a whole"
    name = PurePath(path)
    is_named, idle = _is_named(path, jobs, named), _idle_starts(path, jobs, named)
    if (is_named and not idle) or not _starts_others(path, jobs):
        return ""
    others = (other for other in programs if other != path)
    if idle:
        is_imported = any(_imports(jobs.read(other) or "", name.stem) for other in others)
        return "" if is_imported else f"only `{PurePath(idle).name}`, which nothing names, starts the file"
    others = list(others)
    holder = (name.parent / "__init__.py").as_posix()
    if holder in jobs.scripts and (is_package or _imports_by_name(holder, others, mentions)):
        return ""
    return (
        ""
        if any(mentions(other, name.stem) for other in others)
        else "nothing in this project starts or imports the file"
    )


_BY_NAME = ("importlib", "pkgutil", "__import__", "exec")
"""What a program needs that imports modules by names which it computes."""

_LISTS = ("glob", "listdir", "iterdir", "scandir")
"""What a package needs that imports all files of its folder."""


def _imports_by_name(holder: str, programs: Iterable[str], mentions: Callable[[str, str], bool]) -> bool:
    """Whether a program may import modules by computed names, or a package, `holder`, those of its folder."""
    if any(mentions(holder, word) for word in _LISTS):
        return True
    return any(mentions(program, word) for program in programs for word in _BY_NAME)


def _is_executed(path: str, jobs: Jobs) -> bool:
    """Whether a command, or a program, runs a notebook from its first cell to its last."""
    name = PurePath(path).name
    commands = (command for text in jobs.texts for command in text.shell.commands)
    if any(_executes(command, name) for command in (*commands, *(each for _, shown in jobs.shown for each in shown))):
        return True
    texts = filter(None, map(jobs.read, jobs.scripts))
    return any(name in text and "execute_notebook" in text for text in texts)


def _executes(command: Command, notebook: str) -> bool:
    words = [word.value or word.pattern for word in command.words]
    if not any(word.rpartition("/")[2] == notebook for word in words):
        return False
    return "papermill" in words or ("nbconvert" in words and "--execute" in words) or words[1:2] == ["execute"]


def _is_named(path: str, jobs: Jobs, named: NamedFiles) -> bool:
    """Whether a launch starts a file, or a page or a launch file has its name."""
    name = PurePath(path).name
    texts = (*named.pages.values(), *(file.text for file in jobs.files.values()))
    return path in jobs.naming or any(name in text for text in texts)


def _idle_starts(path: str, jobs: Jobs, named: NamedFiles) -> str:
    """A launch file that nothing names, where only such ones start a program, each as one process: one that prepares
    data, say. Empty where there are others.
    """
    name = PurePath(path).name
    if any(name in text for text in named.pages.values()):
        return ""
    if any(launch.script == path and launch.launcher is not None for launch in jobs.known_launches):
        return ""
    telling = {file.path for file in jobs.files.values() if name in file.text} | jobs.naming.get(path, frozenset())
    return min(telling) if telling and all(map(named.is_idle, telling)) else ""


def _imports(text: str, name: str) -> bool:
    return name in text and re.search(rf"(?m)^\s*(?:from|import)\s[^#\n]*\b{re.escape(name)}\b", text) is not None


def _starts_others(path: str, jobs: Jobs) -> bool:
    """Whether launches start programs near a file."""
    return any(not jobs.neighbourhood.are_apart(path, script) for script in jobs.naming)
