"""What a session keeps from one check to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.project import contents

if TYPE_CHECKING:
    from ddl_lint.analysis.interpreter.installed import InstalledPackages
    from ddl_lint.analysis.runs import Analyzer
    from ddl_lint.check.judging import Verdict
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

    @classmethod
    def lasting(cls) -> Memory:
        """One that keeps syntax trees, too: for texts that change again and again."""
        return cls(contents.Memory(lasting=True))


@dataclass(frozen=True)
class Followed:
    """What follows the runs of a project, and what it asks about installed packages."""

    analyzer: Analyzer[Verdict]
    installed: InstalledPackages
