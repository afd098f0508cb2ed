"""The findings of the whole workspace, open or not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from ddl_lint_server.messages import Answer, Checked, Outcome, Plan, Request, Scan, Scopes
from ddl_lint_server.worker import Snapshot, WorkerError

Progress = Callable[[int, int, str], None]
"""Called before each project: how many are done, of how many, and its folder."""


class WorkspaceScan:
    """Checks all projects of the workspace, and keeps the outcome of each until something in it changes.

    Args:
        ask: Asks the worker.
        snapshot: The state of all documents.
        log: Takes lines for people who look after the server.
    """

    def __init__(
        self,
        ask: Callable[[Request, Snapshot], Awaitable[Answer]],
        snapshot: Callable[[], Snapshot],
        log: Callable[[str], None],
    ) -> None:
        self._ask = ask
        self._snapshot = snapshot
        self._log = log
        self._plan: tuple[object, tuple[str, ...]] | None = None
        self._known: dict[str, tuple[object, Mapping[str, Checked]]] = {}
        self._given_up: dict[str, object] = {}
        self._lock = asyncio.Lock()

    async def latest(self, progress: Progress, is_cancelled: Callable[[], bool]) -> Mapping[str, Checked]:
        """What was found in which file, by path. Between two projects the worker is free for others.

        Raises:
            asyncio.CancelledError: the result is no longer wanted.
        """
        async with self._lock:
            snapshot = self._snapshot()
            scopes = await self._scopes(snapshot)
            self._known = {scope: known for scope, known in self._known.items() if scope in scopes}
            found: dict[str, Checked] = {}
            for number, scope in enumerate(scopes):
                if is_cancelled():
                    raise asyncio.CancelledError
                progress(number, len(scopes), scope)
                found.update(await self._in_scope(scope, snapshot))
            if is_cancelled():  # meanwhile, or where there is no project
                raise asyncio.CancelledError
            return found

    async def _scopes(self, snapshot: Snapshot) -> tuple[str, ...]:
        key = (snapshot.workspace, snapshot.disk, snapshot.texts.keys())
        if self._plan is None or self._plan[0] != key:
            plan = await self._answer(Plan(), snapshot)
            if not isinstance(plan, Scopes):
                return ()
            self._plan = (key, plan.folders)
        return self._plan[1]

    async def _in_scope(self, scope: str, snapshot: Snapshot) -> Mapping[str, Checked]:
        below = f"{scope.rstrip('/')}/"
        stamps = frozenset((path, text.stamp) for path, text in snapshot.texts.items() if path.startswith(below))
        key = (stamps, snapshot.workspace, snapshot.disk)
        if self._given_up.get(scope) == key[1:]:
            return {}
        known = self._known.get(scope)
        if known is None or known[0] != key:
            outcome = await self._answer(Scan(scope), snapshot)
            if not isinstance(outcome, Outcome):
                # Editors ask every few seconds. What is too much for the worker will be after the next key, too.
                self._given_up[scope] = key[1:]
                return {}
            self._known[scope] = known = (key, outcome.files)
        return known[1]

    async def _answer(self, request: Plan | Scan, snapshot: Snapshot) -> Answer | None:
        try:
            return await self._ask(request, snapshot)
        except WorkerError as error:
            self._log(f"the workspace was not checked as a whole: {error}")
            return None
