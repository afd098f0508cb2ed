"""The launches of a project for an editor: one line above each command that starts processes, and a table of all."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from ddl_lint.check.job_table import JobRow, job_rows, shown_path
from ddl_lint.check.memory import Memory
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.jobs.program_starts import may_start_jobs
from ddl_lint.jobs.program_triage import may_run_launchers
from ddl_lint.output.jobs import render
from ddl_lint_server.messages import LaunchLine

_MOST_MEMORIES = 8
_ALONE = ("python", "python3")
"""What starts one process is no job of several."""


class LaunchLines:
    """What launch files say, read again only where something has changed."""

    def __init__(self) -> None:
        self._memories: dict[str, Memory] = {}

    def of(self, path: str, scope: str, overlay: Mapping[str, str]) -> tuple[LaunchLine, ...]:
        """Those of a document. `scope` is the folder of its project."""
        if not is_job_file(path):
            data = overlay.get(path, "").encode("utf-8", "surrogatepass")
            if not may_start_jobs(data) and not may_run_launchers(data):
                return ()
        rows, _ = job_rows([Path(path)], overlay, self._memory(scope or path))
        return tuple(
            LaunchLine(row.line - 1, title(row), os.path.abspath(row.script) if row.is_found else "")
            for row in rows
            if any(PurePath(each).name not in _ALONE for each in row.launchers)
        )

    def table(
        self,
        paths: Sequence[Path],
        scope: str,
        overlay: Mapping[str, str],
        form: str,
        opened_at: tuple[str, int] | None,
    ) -> str:
        """Those of some files, in a form of `ddl-lint jobs`; a page is opened at a path and line."""
        rows, files = job_rows(paths, overlay, self._memory(scope))
        here = (shown_path(opened_at[0]), opened_at[1]) if opened_at is not None else None
        return render(rows, files, form, opened_at=here)

    def _memory(self, scope: str) -> Memory:
        memory = self._memories.pop(scope, None) or Memory()
        self._memories[scope] = memory  # the last one used is last
        if len(self._memories) > _MOST_MEMORIES:
            del self._memories[next(iter(self._memories))]
        return memory


def title(row: JobRow) -> str:
    """A launch in a few words: how many ranks, and of what."""
    script = PurePath(row.script).name if row.is_found or row.script.endswith(".py") else "a script that is not known"
    if row.world_size is None:
        return f"Ranks not known: {script}"
    ranks = f"{row.world_size} rank{'s' * (row.world_size != 1)}"
    if row.nodes is None or row.processes is None:
        return f"{ranks}: {script}"
    return f"{ranks}: {row.nodes} x {row.processes}, {script}"
