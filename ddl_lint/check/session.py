"""A project that is checked again and again, as in an editor: what has not changed is not done again."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ddl_lint.check import cache
from ddl_lint.check.configuration import Resolver
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.registry.rules import Rule
from ddl_lint.storage import Storage

if TYPE_CHECKING:
    from ddl_lint.check.memory import Memory
    from ddl_lint.check.worker_pool import WorkerPool


def tidy_up() -> None:
    """Collect garbage, and leave aside what is held for the next check. For a moment in which no user waits: the time
    that it takes grows with all that is held, while the collections in checks to come pass that over.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Session:
    """Remembers what was read, lowered and followed.

    The answers are those of a check that remembers nothing. One session is for one project, and for one thread at a
    time.
    """

    def __init__(self, rules: Sequence[Rule], storage: Storage | None = None, *, keeps_pieces: bool = True) -> None:
        """A session that has seen nothing yet.

        Args:
            rules: All rules that are installed.
            storage: Where the programs of files are found that another process has lowered, and kept for others;
                reports, too, for requests that want that.
            keeps_pieces: Whether to remember what programs were made of: of use where texts change again and again.
        """
        self.rules = rules
        self._storage = storage
        self._keeps_pieces = keeps_pieces
        self._memory: Memory | None = None
        self.is_fresh = True
        """Whether nothing but single files was read yet, so that the next check of all will take long."""

    def check(self, request: Request) -> Report:
        """What is found in the files of a request; what is to be done about it is left to others."""
        report = self._whole(request)
        for narrow in request.narrow:
            report = narrow(report)
        return report

    def _whole(self, request: Request) -> Report:
        settings_for = Resolver(request.configuration, self.rules)
        storage = self._storage_for(request)
        if storage is None:
            return self._checked(request, settings_for)
        name = cache.name_of(request.paths, request.named, settings_for, self.rules, storage)
        report = cache.find(storage, name)
        if report is None:
            report = self._checked(request, settings_for)
            cache.keep(storage, name, report)
        return report

    def stored(self, request: Request) -> Report | None:
        """What another check has found in the files of a request, if nothing has changed since."""
        storage = self._storage_for(request)
        if storage is None:
            return None
        settings_for = Resolver(request.configuration, self.rules)
        return cache.find(storage, cache.name_of(request.paths, request.named, settings_for, self.rules, storage))

    def _storage_for(self, request: Request) -> Storage | None:
        """Where the report of a request may be stored; None where it may not."""
        storage = self._storage
        if storage is None or storage.folder is None or request.overlay or request.environment or not request.stored:
            return None
        return storage

    def _checked(self, request: Request, settings_for: Resolver) -> Report:
        # They bring in all that follows programs, which a stored report does not need.
        from ddl_lint.check.engine import check_project
        from ddl_lint.check.memory import Memory

        self.is_fresh = self.is_fresh and request.alone
        if self._memory is None:
            self._memory = Memory.lasting() if self._keeps_pieces else Memory()
        folder = self._storage.folder if self._storage is not None else None
        others: WorkerPool | None = None
        if folder is not None and request.jobs > 1:
            from ddl_lint.check.worker_pool import WorkerPool

            others = WorkerPool(request, folder, request.jobs)
        with contextlib.nullcontext() if others is None else contextlib.closing(others):
            return check_project(
                request.paths,
                settings_for,
                self.rules,
                overlay=request.overlay,
                memory=self._memory,
                storage=self._storage,
                jobs=request.jobs,
                alone=request.alone,
                others=others,
                named=request.named,
                stoppable=request.stoppable,
                environment=request.environment,
            )
