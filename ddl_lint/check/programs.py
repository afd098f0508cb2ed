"""What a check reads: the files of a program, its code, its commands, its API models and its versions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ddl_lint.analysis.interpreter.project.codebase import Codebase, Source, name_all
from ddl_lint.analysis.interpreter.project.entries import (
    Entry,
    console_entries,
    is_notebook,
    left_out,
    unfollowed_entries,
)
from ddl_lint.check.file_settings import FileSettings
from ddl_lint.check.kept_jobs import Sight
from ddl_lint.check.memory import Memory
from ddl_lint.check.neighbours import neighbourhood_of
from ddl_lint.frameworks.compile import load_index
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.console_scripts import console_scripts
from ddl_lint.jobs.launch_facts import starts_processes
from ddl_lint.program.followed import Coverage
from ddl_lint.project.config import Settings
from ddl_lint.project.contents import Contents
from ddl_lint.project.discover import LeftOut
from ddl_lint.project.program import ImportGraph, Program, callers
from ddl_lint.project.project_context import (
    notebooks,
    packaging_files,
    python_files,
)
from ddl_lint.registry.rules import rule_packages
from ddl_lint.storage import Storage, stamp, user_storage
from ddl_lint.timing import stage


def find_program(
    root: Path,
    members: Sequence[Path],
    files: Contents,
    applied: FileSettings,
    is_left_out: LeftOut,
    memory: Memory,
    *,
    alone: bool,
    started: Iterable[str] = (),
) -> Program:
    """The program of some files of a project; `started` are further scripts that belong to it, by their paths."""
    with stage("discover"):
        sources, codebase = find_codebase(root, members, files)
    given = [path.as_posix() for path in members]
    with stage("callers"):
        graph = memory.graphs[root] = ImportGraph(codebase, files, memory.graphs.get(root))
        found = () if alone else callers([sources[path] for path in given], root, graph)
        known = {*given, *(source.path for source in found)}
        others = [path for path in dict.fromkeys(started) if path in sources and path not in known]
        context = applied.take_others((*(source.path for source in found), *others), is_left_out)
    return Program(root, given, context, sources, codebase, graph)


def find_codebase(root: Path, given: Iterable[Path], files: Contents) -> tuple[dict[str, Source], Codebase]:
    """The files of a project, with those that are given, and its modules."""
    given = list(given)
    sources = name_all({*given, *python_files(root), *notebooks(root)}, root)
    neighbourhood = neighbourhood_of(root, given, Sight(files).may_start)
    return sources, Codebase(sources.values(), files.program, neighbourhood)


def own_models(settings: Iterable[Settings]) -> list[Path]:
    """The API models that the settings name."""
    return sorted({model for chosen in settings for model in chosen.models})


def api_models(settings: Iterable[Settings], storage: Storage | None = None) -> ApiIndex:
    shipped = sorted(file for folder in rule_packages().values() for file in (folder / "models").glob("*.yaml"))
    own = own_models(settings)
    key = (tuple(shipped), tuple(own), tuple(stamp(str(file)) for file in (*shipped, *own)))
    api = _loaded.get(key)
    if api is None:
        api = load_index(*key[:2], Storage((storage or user_storage()).folder))
        _loaded.clear()
        _loaded[key] = api
    return api


_loaded: dict[tuple[tuple[Path, ...], tuple[Path, ...], tuple[object, ...]], ApiIndex] = {}
"""The models of the last project, by their files and when these were changed: an index is large, takes long to make,
and projects that are checked in turn seldom differ in it. It is the same one wherever it is stored."""


def console_commands(codebase: Codebase, root: Path) -> list[Entry]:
    """The functions that become commands when the project is installed."""
    return console_entries(codebase, root, console_scripts(packaging_files(root)))


def not_followed(
    program: Program, relevant: Iterable[str], console: Sequence[Entry], files: Contents
) -> list[Coverage]:
    """What is reported about the given files that are not followed, and of entries that cannot be."""
    followed = frozenset(relevant)
    others = (path for path in program.given if program.sources[path].name not in followed)
    return [
        *left_out({path: files.bytes_of(path) for path in others}),
        *unfollowed_entries(console, followed, program.codebase),
    ]


def launching_notebooks(program: Program, files: Contents) -> frozenset[str]:
    """The notebooks in which a shell command or a magic starts processes."""
    return frozenset(program.sources[path].name for path in program.checked if is_launching(path, files))


def is_launching(path: str, files: Contents) -> bool:
    """Whether a file is a notebook in which a shell command or a magic starts processes."""
    data = files.bytes_of(path) if is_notebook(path) else None
    return data is not None and starts_processes(data)
