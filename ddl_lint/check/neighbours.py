"""Which files of a project are near each other, as its files on the disk tell."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ddl_lint.analysis.interpreter.entries import is_notebook, may_start
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.project.contents import Contents
from ddl_lint.project.surroundings import notebooks, package_files, python_files


def neighbourhood_of(root: Path, given: Iterable[Path], files: Contents) -> Neighbourhood:
    """The neighbourhood of the programs of a project, with those of its files that are given."""

    def is_script(path: str) -> bool:
        data = files.bytes_of(path)
        return data is not None and (is_notebook(path) or may_start(data))

    programs = {path.as_posix() for path in (*given, *python_files(root), *notebooks(root))}
    packages = {path.parent.as_posix() for path in package_files(root)}
    return Neighbourhood(root.as_posix(), programs, is_script, packages)
