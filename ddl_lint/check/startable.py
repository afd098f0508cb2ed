"""Why a file ends with an error before it comes to what was found in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ddl_lint.analysis.interpreter.project.codebase import Codebase
from ddl_lint.analysis.syntactic.undefined import undefined_names
from ddl_lint.program import code
from ddl_lint.source.span import Location


def why_not_started(module: code.Module, location: Location, codebase: Codebase) -> str:
    """Why the file of a place cannot get there, as a half sentence; empty where it can."""
    top = _top_level(module, location.start)
    begins = top.start if top is not None else location.start
    within = top is not None and not isinstance(top, (code.Function, code.Class))
    if not within and module.body:  # what is defined runs when something calls it, at the earliest at the end
        begins = module.body[-1].start
    for name in _missing_modules(module, begins, codebase):
        return f"this project has no module `{name}`, which the file imports"
    for each in undefined_names(module):
        if (each.is_sure and each.start < begins) or (within and location.start <= each.start < location.end):
            return f"nothing defines `{each.name}`, which the file reads"
    return ""


def _top_level(module: code.Module, offset: int) -> code.Statement | None:
    return next((statement for statement in module.body if statement.start <= offset < statement.end), None)


def _missing_modules(module: code.Module, before: int, codebase: Codebase) -> Iterator[str]:
    """The modules that the top level imports from packages of the project, and that are not there."""
    for statement in module.body:
        if statement.start >= before:
            return
        if not isinstance(statement, (code.Import, code.ImportFrom)):
            continue
        is_relative = isinstance(statement, code.ImportFrom) and statement.level > 0
        if not is_relative and _is_missing(statement.module, module.name, codebase):
            yield statement.module


def _is_missing(name: str, importer: str, codebase: Codebase) -> bool:
    """Whether a package of the project lacks a module: neither is it there, nor does the package make it or hold
    something else of this name, such as a library that is yet to be compiled.
    """
    package, _, last = name.rpartition(".")
    if not package or codebase.find(name, importer) is not None:
        return False
    found = codebase.find(package, importer)
    holder = codebase.module(found) if found is not None else None
    if holder is None or not holder.is_package or last in holder.words:
        return False
    folder = Path(holder.path).parent
    return _is_source(last) and not any(folder.glob(f"{last}*"))


def _is_source(name: str) -> bool:
    """Whether a module of this name is written by people: others are made when the package is built."""
    return not name.startswith("_") and not name.endswith(("_pb2", "_pb2_grpc")) and "version" not in name
