"""What a session keeps from one check to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.project import contents
from ddl_lint.project.inputs import content_of

if TYPE_CHECKING:
    from ddl_lint.analysis.interpreter.project.installed import InstalledPackages
    from ddl_lint.analysis.runs import Analyzer
    from ddl_lint.check.kept_jobs import KeptJobs
    from ddl_lint.check.pinned_versions import PinnedVersions
    from ddl_lint.check.rule_runner import RunResult
    from ddl_lint.project.program import ImportGraph
    from ddl_lint.syntax import Triage


@dataclass
class Memory:
    """What was read, lowered and followed."""

    contents: contents.Memory = field(default_factory=contents.Memory)
    triage: Triage | None = None
    graphs: dict[Path, ImportGraph] = field(default_factory=lambda: {})
    """Root of a project to who imports whom in it."""
    followed: dict[Path, Followed] = field(default_factory=lambda: {})
    """Root of a project to what its runs are followed by."""
    jobs: dict[Path, KeptJobs] = field(default_factory=lambda: {})
    """Root of a project to what its launch files say."""
    pinned: dict[Path, PinnedVersions] = field(default_factory=lambda: {})
    """Root of a project to the versions that its files pin."""

    @classmethod
    def lasting(cls) -> Memory:
        """One that keeps what programs are made of, too: for texts that change again and again."""
        return cls(contents.Memory(lasting=True))


@dataclass(frozen=True)
class Followed:
    """What follows the runs of a project, and what it asks about installed packages."""

    analyzer: Analyzer[RunResult]
    installed: InstalledPackages

    def outside(self) -> Mapping[str, object]:
        """The files that were looked at beside programs: those that programs read, each with the digest of its content
        (empty if there is none), and those of installed packages, each with its `stamp`.
        """
        documents = {str(path): content_of(str(path)) for path in self.analyzer.documents}
        return {**self.installed.looked_at, **documents}
