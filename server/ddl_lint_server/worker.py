"""One warm process that checks. Requests and answers cross a pipe; who takes too long is killed and started anew."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock

from ddl_lint.processes import Helper
from ddl_lint_server.messages import (
    Answer,
    Failed,
    Question,
    Ready,
    Request,
    RuleSummary,
    Text,
    TimeSpent,
    Update,
    Workspace,
)

START_LIMIT = 60.0
"""Seconds that a new process may take until it is ready."""

_PATIENCE = 5
"""How many times as long a request may take by the clock as of a processor."""

_ATTEMPTS = 2  # a process may have been killed by somebody else; one that dies twice over the same request will again
_MOST_STARTS = 3  # in a row that fail; whatever is wrong then, it will not pass by itself


class WorkerError(Exception):
    """There is no answer; `str()` of it says why, for people."""


class TookTooLong(WorkerError):
    """The time limit was over."""


class Died(WorkerError):
    """The process does not survive the request."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of all documents at one moment, by path. Nothing in it ever changes."""

    texts: Mapping[str, Text]
    workspace: Workspace
    disk: int
    """Grows when something on the disk has changed, or may have."""


@dataclass
class _Running:
    """A process, and what it has been sent so far."""

    process: Helper
    stamps: dict[str, int] = field(default_factory=dict[str, int])
    workspace: Workspace | None = None
    disk: int = 0

    def update(self, snapshot: Snapshot) -> Update:
        """What it has to be sent so that it knows the snapshot."""
        texts: dict[str, Text | None] = dict.fromkeys(self.stamps.keys() - snapshot.texts.keys())
        for path, text in snapshot.texts.items():
            if self.stamps.get(path) != text.stamp:
                texts[path] = text
        workspace = None if snapshot.workspace == self.workspace else snapshot.workspace
        return Update(texts, workspace, snapshot.disk != self.disk)

    def knows(self, snapshot: Snapshot) -> None:
        self.stamps = {path: text.stamp for path, text in snapshot.texts.items()}
        self.workspace = snapshot.workspace
        self.disk = snapshot.disk

    def kill(self) -> None:
        self.process.end()


class Worker:
    """The process, seen from the server: ask, and wait for the answer without blocking the event loop."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self.limit = 60.0
        """Seconds of a processor that a request may take, and of silence meanwhile."""
        self.generation = 0
        """How many processes there have been."""
        self.cards: Mapping[str, RuleSummary] = {}
        """What is known of the rules, by code; empty until the first process is ready."""
        self._log = log
        self._running: _Running | None = None
        self._lock = Lock()
        self._closed = False
        self._failed_starts = 0  # in a row
        self._fault = ""
        # One thread does all the blocking: requests are answered one after the other, in their order.
        self._thread = ThreadPoolExecutor(1, "worker")
        self._checks: set[Future[Answer]] = set()

    @property
    def pid(self) -> int | None:
        """The number of the present process."""
        running = self._running
        return running.process.pid if running is not None else None

    @property
    def is_checking(self) -> bool:
        """Whether it is at a check, or will be before it comes to anything else."""
        return bool(self._checks)

    def warm_up(self) -> None:
        """Start the process before it is needed."""
        self._thread.submit(self._warm)

    async def ask(self, request: Request, snapshot: Snapshot) -> Answer:
        """The answer of the process.

        Raises:
            WorkerError: there is none.
        """
        if self._closed:
            raise WorkerError("the server is being shut down")
        answer = self._thread.submit(self._exchange, request, snapshot)
        if not isinstance(request, Question):
            self._checks.add(answer)
            answer.add_done_callback(self._checks.discard)  # whoever asked may have gone meanwhile
        return await asyncio.wrap_future(answer)

    def close(self) -> None:
        """Kill the process. There will be no other."""
        with self._lock:
            self._closed = True
            running, self._running = self._running, None
            if running is not None:
                running.process.kill()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _warm(self) -> None:
        with contextlib.suppress(WorkerError):  # the first request will say so
            self._started()

    def _exchange(self, request: Request, snapshot: Snapshot) -> Answer:
        for attempt in range(_ATTEMPTS):
            running = self._started()
            try:
                running.process.pipe.send((request, running.update(snapshot)))
                running.knows(snapshot)
                answer = self._answer(running)
            except (EOFError, OSError):
                self._drop(running)
                if self._closed:
                    break
                self._log(f"the checking process ended in mid-run (attempt {attempt + 1} of {_ATTEMPTS})")
                continue
            if isinstance(answer, Failed):
                self._log(answer.details)
                raise WorkerError(answer.reason)
            return answer
        raise Died("the checking process does not survive it")

    def _answer(self, running: _Running) -> Answer:
        """The answer of a process. On a machine that has much else to do, it is waited for longer.

        Raises:
            TookTooLong: there is none in time; the process has been killed.
            EOFError, OSError: the process has died.
        """
        pipe, last = running.process.pipe, time.monotonic() + _PATIENCE * self.limit
        while pipe.poll(min(self.limit, max(0.0, last - time.monotonic()))):
            said: Answer | TimeSpent = pipe.recv()
            if not isinstance(said, TimeSpent):
                return said
            if said.seconds > self.limit:
                break
        self._drop(running)
        raise TookTooLong(f"it took more than {self.limit:g} seconds")

    def _started(self) -> _Running:
        running = self._running
        if running is not None and running.process.is_alive():
            return running
        if running is not None:
            self._drop(running)
        if self._failed_starts >= _MOST_STARTS:
            raise WorkerError(f"{self._fault}; it is not tried again before the server is restarted")
        try:
            running = self._new()
        except WorkerError as error:
            self._failed_starts += 1
            self._fault = str(error)
            raise
        self._failed_starts = 0
        return running

    def _new(self) -> _Running:
        with self._lock:
            if self._closed:
                raise WorkerError("the server is being shut down")
            try:
                self._running = running = _Running(Helper(_work))
            except OSError as error:
                raise WorkerError(f"no process can be started: {error.strerror or error}") from None
            self.generation += 1
        try:
            ready: object = running.process.pipe.recv() if running.process.pipe.poll(START_LIMIT) else None
        except (EOFError, OSError):
            ready = None
        if isinstance(ready, Ready):
            self.cards = ready.cards
            if ready.mistakes:
                self._log("\n".join(["rules that cannot be used are left out:", *ready.mistakes]))
            return running
        self._drop(running)
        if isinstance(ready, Failed):
            self._log(ready.details)
            raise WorkerError(ready.reason)
        raise WorkerError("the checking process does not start")

    def _drop(self, running: _Running) -> None:
        running.kill()
        with self._lock:
            if self._running is running:
                self._running = None


def _work(pipe: Connection) -> None:
    from ddl_lint_server.checker import serve  # the engine is only needed, and only loaded, in the new process

    serve(pipe)
