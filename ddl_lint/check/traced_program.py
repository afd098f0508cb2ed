"""What a question about ranks reads: a file, and the project around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.analysis.interpreter.codebase import Codebase, Source
from ddl_lint.analysis.interpreter.entries import Entry
from ddl_lint.analysis.view import RunView, Surroundings
from ddl_lint.check.programs import api_models, console_commands, find_codebase
from ddl_lint.check.surveying import launch_paths, project_jobs
from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.launch_facts import LaunchFacts, launch_facts
from ddl_lint.program import code
from ddl_lint.program.followed import Budget
from ddl_lint.program.trace import Run
from ddl_lint.project.config import Settings
from ddl_lint.project.contents import Contents
from ddl_lint.project.surroundings import projects


class TraceError(Exception):
    """There is nothing to show; `str()` of it says why and what to do."""


@dataclass(frozen=True)
class TracedProgram:
    """One file, with the project around it, ready to be followed."""

    files: Contents
    codebase: Codebase
    api: ApiIndex
    module: code.Module
    sources: Mapping[str, Source]
    console: Sequence[Entry]
    budget: Budget
    launch: LaunchFacts
    root: Path

    def view(self, run: Run) -> RunView:
        """A run, with what it is looked at with."""
        return RunView(run, Surroundings(self.api, self.codebase, self.launch, self.files.documents))


def open_program(
    path: Path, others: Sequence[Path], settings: Settings, overlay: Mapping[str, str], root: Path | None = None
) -> TracedProgram:
    """Read a file of a project, and `others` that may be outside of it. Without a `root`, it is that around the file.

    Raises:
        TraceError: the file cannot be read.
    """
    files = Contents(overlay)
    try:
        api = api_models([settings])
    except ModelError as error:
        raise TraceError(str(error)) from None
    members = [path]
    if root is None:
        root, members = next((found, each) for found, each in projects([path, *others]).items() if path in each)
    sources, codebase = find_codebase(root, members, files)
    module = codebase.module(sources[path.as_posix()].name)
    if module is None:
        reason = files.faults[0].finding.message if files.faults else "it cannot be read"
        raise TraceError(f"{path}: {reason}")
    launches = launch_facts(project_jobs(root, files, sources, ()), launch_paths(root, map(Path, sources)))
    return TracedProgram(
        files, codebase, api, module, sources, console_commands(codebase, root), settings.budget, launches, root
    )
