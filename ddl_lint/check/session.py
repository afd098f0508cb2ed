"""A project that is checked again and again, as in an editor: what has not changed is not done again."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ddl_lint.check.engine import check_project
from ddl_lint.check.memory import Memory
from ddl_lint.check.report import Report
from ddl_lint.project import contents
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule
from ddl_lint.storage import Storage


def tidy_up() -> None:
    """Collect garbage, and leave aside what is held for the next check. For a moment in which nobody waits: the time
    that it takes grows with all that is held, while the collections in checks to come pass that over.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Session:
    """Remembers what was read, lowered and followed.

    The answers are those of `check_project`. One session is for one project, and for one thread at a time.
    """

    def __init__(self, rules: Sequence[Rule], storage: Storage | None = None) -> None:
        """`storage` is where the programs of files are found that another process has lowered, and kept for others."""
        self._rules = rules
        self._storage = storage
        self._memory = Memory(contents.Memory(lasting=True))

    def check(
        self,
        paths: Sequence[Path],
        settings_for: Callable[[Path], Settings],
        *,
        overlay: Mapping[str, str] | None = None,
        alone: bool = False,
    ) -> Report:
        """Check these files; arguments and answer as of `check_project`."""
        return check_project(
            paths, settings_for, self._rules, overlay=overlay, memory=self._memory, storage=self._storage, alone=alone
        )
