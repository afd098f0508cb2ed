"""What launch files say, kept from one check to the next while all that was looked at is the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from ddl_lint.analysis.interpreter.project.entries import is_notebook, may_start
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.project_jobs import Jobs
from ddl_lint.project.contents import Contents


@dataclass
class Sight:
    """What is seen of the programs of a project to find out which of them are near each other."""

    files: Contents
    _starts: dict[str, tuple[str, bool]] = field(default_factory=dict[str, tuple[str, bool]])
    """A program -> the name of its content, and whether it may be started."""

    def side_text(self, path: str) -> str | None:
        """The text of a file that is no program; None for one that cannot be read."""
        return self.files.side_text(path)

    def may_start(self, path: str) -> bool:
        """Whether a program may be started."""
        answer = _may_start(self.files, path)
        self._starts[path] = self.files.digest_of(path), answer
        return answer

    def holds(self, files: Contents) -> bool:
        """Whether the programs look the same in other files; these are the ones to be read from now on."""
        self.files = files
        return all(
            files.digest_of(path) == name or _may_start(files, path) is answer
            for path, (name, answer) in self._starts.items()
        )


def _may_start(files: Contents, path: str) -> bool:
    data = files.bytes_of(path)
    return data is not None and (is_notebook(path) or may_start(data))


@dataclass(frozen=True)
class KeptJobs:
    """What launch files say, with what it was made of."""

    jobs: Jobs
    sight: Sight
    files: Sequence[JobFile]
    programs: Sequence[Path]
    """All Python files and notebooks, and what marks packages: they make neighbours."""

    pages: Sequence[tuple[str, str]]
    launching: Mapping[str, str]
    """The programs that may run launchers -> the names of their contents."""

    setting_keys: Set[str]
    """The keys of files with settings that no launch names."""

    def holds(
        self,
        files: Contents,
        job_files: Sequence[JobFile],
        programs: Sequence[Path],
        pages: Sequence[tuple[str, str]],
        launching: Mapping[str, str],
        setting_keys: Set[str],
    ) -> bool:
        """Whether reading these files again would say the same."""
        is_same = self.files == job_files and self.programs == programs and self.pages == pages
        is_same = is_same and self.launching == launching and self.setting_keys == setting_keys
        others = self.jobs.looked_at.items()
        return is_same and self.sight.holds(files) and all(files.side_text(path) == text for path, text in others)
