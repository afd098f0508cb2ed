"""Says how far a long piece of work is, where the client wants to know, and learns that it is no longer wanted."""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from concurrent.futures import Future
from typing import Protocol, cast

from lsprotocol import types
from pygls.progress import Progress

from ddl_lint_server.convert import Abilities

_TITLE = "ddl-lint: checking the workspace"
_PATIENCE = 1.0  # seconds; what is done sooner needs no progress bar


class Reporting(Protocol):
    """What reports how far a piece of work is: the server."""

    can: Abilities
    broken_off: deque[types.ProgressToken]

    @property
    def work_done_progress(self) -> Progress: ...


class ScanProgress:
    """The progress of one check of the workspace, or of a project in it.

    With a token of the client's, all reports carry it. Without one, a bar of our own is asked for when it takes long.
    To be used as an asynchronous context.
    """

    def __init__(self, server: Reporting, token: types.ProgressToken | None, *, is_cancellable: bool = True) -> None:
        self._server = server
        self._token = token
        self._is_cancellable = is_cancellable
        self._began = False
        self._opening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> ScanProgress:
        if self._token is not None:
            self._begin()
        elif self._server.can.progress:
            self._opening = asyncio.get_running_loop().create_task(self._open())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._token in self._server.broken_off:
            self._server.broken_off.remove(self._token)  # the name is free again
        if self._opening is not None:
            self._opening.cancel()
        if self._began and self._token is not None:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
            self._tokens.pop(self._token, None)

    def tell(self, done: int, count: int, what: str) -> None:
        """So many of so many parts are done; now comes `what`."""
        if self._began and self._token is not None:
            report = types.WorkDoneProgressReport(message=what, percentage=100 * done // max(count, 1))
            self._server.work_done_progress.report(self._token, report)

    @property
    def is_cancelled(self) -> bool:
        """Whether the user has broken it off."""
        return self._token in self._server.broken_off

    @property
    def _tokens(self) -> dict[types.ProgressToken, Future[None]]:
        return cast("dict[types.ProgressToken, Future[None]]", self._server.work_done_progress.tokens)  # pyright: ignore[reportUnknownMemberType]

    def _begin(self) -> None:
        assert self._token is not None
        begin = types.WorkDoneProgressBegin(
            title=_TITLE, cancellable=self._is_cancellable, percentage=0 if self._is_cancellable else None
        )
        self._server.work_done_progress.begin(self._token, begin)
        self._began = True

    async def _open(self) -> None:
        await asyncio.sleep(_PATIENCE)
        token = str(uuid.uuid4())
        try:
            await self._server.work_done_progress.create_async(token)  # pyright: ignore[reportUnknownMemberType]
        except Exception:
            return  # the client does not want one, after all
        self._token = token
        self._begin()
