"""Which files no job of a project comes to, to judge by who names them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePath

from ddl_lint.analysis.interpreter.entries import is_notebook
from ddl_lint.jobs.project_jobs import Jobs


def unused_file(path: str, programs: Iterable[str], jobs: Jobs, mentions: Callable[[str, str], bool]) -> str:
    """Why no job comes to a file, as a half sentence; empty where one may. A project that says nothing of how it is
    used says nothing of this file, either.

    Args:
        path: A program, or a notebook, of the project.
        programs: All of them.
        jobs: What launch files and pages say.
        mentions: Whether a word is in one of the programs.
    """
    if _is_named(path, jobs):
        return ""
    if is_notebook(path):
        said = jobs.pages or jobs.known_launches
        return "only one cell fails, of a notebook that no page names" if said else ""
    name = PurePath(path)
    if not _starts_others(path, jobs) or (name.parent / "__init__.py").as_posix() in jobs.scripts:
        return ""
    is_imported = any(mentions(other, name.stem) for other in programs if other != path)
    return "" if is_imported else "nothing in this project starts or imports the file"


def _is_named(path: str, jobs: Jobs) -> bool:
    """Whether a launch starts a file, or a page or a launch file has its name."""
    name = PurePath(path).name
    texts = (*jobs.pages.values(), *(file.text for file in jobs.files.values()))
    return path in jobs.naming or any(name in text for text in texts)


def _starts_others(path: str, jobs: Jobs) -> bool:
    """Whether launches start programs near a file."""
    return any(not jobs.neighbourhood.are_apart(path, script) for script in jobs.naming)
