"""Which files of a project are near each other, as its files on the disk tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.project.project_context import notebooks, package_files, python_files

_PROGRAMS = frozenset({".py", ".ipynb"})


def files_of(root: Path) -> Sequence[Path]:
    """The files of a project that make neighbours: its programs, and what makes packages of folders."""
    return [*python_files(root), *notebooks(root), *package_files(root)]


def neighbourhood_of(root: Path, given: Iterable[Path], may_start: Callable[[str], bool]) -> Neighbourhood:
    """The neighbourhood of the programs of a project, with those of its files that are given.

    Args:
        root: The folder of the project.
        given: Files of it, which may not be on the disk yet; those that are no programs do not count, since whether
            they are given says nothing of the project.
        may_start: Whether a program may be started.
    """
    told = (path for path in given if path.suffix in _PROGRAMS)
    programs = {path.as_posix() for path in (*told, *python_files(root), *notebooks(root))}
    packages = {path.parent.as_posix() for path in package_files(root)}
    return Neighbourhood(root.as_posix(), programs, may_start, packages)
