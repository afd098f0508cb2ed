"""Scripts and modules that are followed in other processes, all at the same time.

Another process does the same check and puts what it finds of a script into the cache (`stored_results.py`), where this
one looks first. What no script reaches is followed module by module, and of a module only what no run before has
entered: another process follows the next modules ahead, as if nothing more were entered before their turn. Where that
is wrong, they are followed again here. So nothing of what is found depends on how many processes there are, or on
what becomes of them.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.allowance import Allowance
from ddl_lint.analysis.result_cache import CacheKey, Entered
from ddl_lint.check.request import Request

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from ddl_lint.processes import Helper

PATIENCE = 4.0
"""Seconds for which we follow by ourselves before others help, and that must be left for each of them: what a
process has to do before it follows its first script takes a second or two.
"""

_LOOK_FOR_END = 0.2
"""Seconds between two looks at whether somebody wants the check to end."""

_MOST = 7
"""Processes that help with one check: each holds the programs of the whole project."""


_Given = tuple[CacheKey, Entered, float]
"""What a process is given to follow, with what has been entered, and how many seconds are left."""


class WorkerPool:
    """The processes that help with one check."""

    synchronized = True
    helps = False

    def __init__(self, request: Request, cache: Path, jobs: int, *, patience: float = PATIENCE) -> None:
        """`cache` is the folder with stored results, `jobs` the number of processes that may work at once, this one
        included.
        """
        self._request = replace(request, task=None, narrow=(), jobs=1)
        self._cache = cache
        self._jobs = jobs
        self._patience = patience
        self._changed = threading.Condition()
        self._kind = ""
        self._waiting: deque[str] = deque()
        self._entered: Callable[[str], Entered | None] = _nothing_entered
        self._at_work: dict[str, Entered] = {}
        self._begun, self._count = 0.0, 0
        self._is_closed = False
        self._threads: list[threading.Thread] = []
        self._allowance = Allowance()
        self.given: list[CacheKey] = []
        """What others were given."""

        self.helpers: list[Helper] = []

    def share(self, names: Sequence[str], allowance: Allowance) -> Iterator[str]:
        """The scripts that are to be followed now, by the names of their modules: each is given once. For those that
        come last, another process has looked, and may have put what it found into the cache.
        """
        self._begin("script", names, _nothing_entered, allowance)
        while not allowance.is_over():
            self._look_for_help()
            with self._changed:
                if not self._waiting:
                    break
                name = self._waiting.popleft()
            yield name
        with self._changed:
            self._waiting.clear()
            self._wait(lambda: not self._at_work)
        yield from [name for _, name in self.given]

    def ahead(
        self, names: Sequence[str], entered: Callable[[str], Entered | None], allowance: Allowance
    ) -> Iterator[tuple[str, None]]:
        """The modules of which is to be followed now what no script reaches: all of them, in this order. Meanwhile
        others follow those that come next.
        """
        self._begin("library", names, entered, allowance)
        for name in names:
            self._look_for_help()
            with self._changed:
                if name in self._waiting:
                    self._waiting.remove(name)
                elif name in self._at_work and self._at_work[name].is_same_of_module(entered(name)):
                    self._wait(lambda name=name: name not in self._at_work)
            yield name, None
        self.close()

    def wants(self, name: str) -> bool:
        """What comes of all modules is said here."""
        return True

    def close(self) -> None:
        """End all processes."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            self._changed.notify_all()
        for helper in self.helpers:
            helper.kill()
        for thread in self._threads:
            thread.join()

    def _begin(
        self, kind: str, names: Sequence[str], entered: Callable[[str], Entered | None], allowance: Allowance
    ) -> None:
        with self._changed:
            self._kind, self._entered, self._allowance = kind, entered, allowance
            self._begun, self._count = time.monotonic(), len(names)
            self._waiting = deque(names)
            self._changed.notify_all()

    def _wait(self, is_there: Callable[[], bool]) -> None:
        """Wait for something, unless somebody wants the check to end."""
        while not is_there() and not self._allowance.is_stopped:
            self._changed.wait(_LOOK_FOR_END)

    def _look_for_help(self) -> None:
        """Have other processes help, if what waits is worth it and they do not yet."""
        if self._threads:
            return
        count = self._wanted(time.monotonic() - self._begun, self._count - len(self._waiting))
        self._threads = [threading.Thread(target=self._feed, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def _wanted(self, passed: float, done: int) -> int:
        """How many processes what waits is worth, to judge by the seconds that passed with what is done."""
        most = min(self._jobs - 1, len(self._waiting), _MOST)
        if not self._patience:
            return most
        if passed < self._patience:
            return 0
        return min(most, int(passed / max(done, 1) * len(self._waiting) / self._patience))

    def _feed(self) -> None:
        """Give one process one thing after the other, until the check has come to its end, or the process has died."""
        from ddl_lint.processes import Helper  # most checks need no other process

        with contextlib.suppress(EOFError, OSError):
            helper = Helper(_serve)
            spent, name = 0.0, ""
            try:
                with self._changed:
                    self.helpers.append(helper)
                    if self._is_closed:
                        return
                helper.pipe.send((self._request, self._cache))
                while True:
                    now: float = helper.pipe.recv()  # it is ready
                    self._allowance.charge(now - spent)
                    spent = now
                    self._is_done(name)
                    given = self._next()
                    if given is None:
                        return
                    (_, name), _, _ = given
                    helper.pipe.send(given)
            finally:
                self._is_done(name)
                helper.end()

    def _next(self) -> _Given | None:
        """What a process is to do next; waits for it. None at the end."""
        with self._changed:
            while not self._is_closed and not self._allowance.is_over():
                for name in self._waiting:
                    entered = self._entered(name)
                    if entered is not None:
                        self._waiting.remove(name)
                        self._at_work[name] = entered
                        self.given.append((self._kind, name))
                        return (self._kind, name), entered, self._allowance.remaining()
                self._changed.wait()
        return None

    def _is_done(self, name: str) -> None:
        with self._changed:
            self._at_work.pop(name, None)
            self._changed.notify_all()


def _nothing_entered(name: str) -> Entered:
    return Entered()


class _Pipe:
    """What a process of the pool shares: what comes through a pipe, first scripts, then modules."""

    synchronized = True
    helps = True

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._held: _Given | None = None

    def share(self, names: Sequence[str], allowance: Allowance) -> Iterator[str]:
        """The scripts that this process is given."""
        yield from (name for name, _ in self._given("script", names, allowance))

    def ahead(
        self, names: Sequence[str], entered: Callable[[str], Entered | None], allowance: Allowance
    ) -> Iterator[tuple[str, Entered]]:
        """The modules that it is given."""
        yield from self._given("library", names, allowance)

    def wants(self, name: str) -> bool:
        """It is asked for scripts of all modules."""
        return True

    def _given(self, kind: str, names: Sequence[str], allowance: Allowance) -> Iterator[tuple[str, Entered]]:
        known = frozenset(names)
        while True:
            if self._held is None:
                self._pipe.send(time.process_time())
                self._held = self._pipe.recv()
                assert self._held is not None
            (there, name), entered, seconds = self._held
            if there != kind:
                return
            self._held = None
            allowance.grant(seconds)
            if name in known:
                yield name, entered


def _serve(pipe: Connection) -> None:
    """Follow what comes through a pipe, until it is closed."""
    from ddl_lint.check.configuration import Resolver
    from ddl_lint.check.engine import check_project
    from ddl_lint.registry.rules import load_rules
    from ddl_lint.storage import Storage

    with contextlib.suppress(EOFError, OSError):
        request, cache = pipe.recv()
        rules = load_rules(Storage(cache))
        check_project(
            request.paths,
            Resolver(request.configuration, rules),
            rules,
            overlay=request.overlay,
            storage=Storage(cache),
            alone=request.alone,
            others=_Pipe(pipe),
            allowance=Allowance(),
        )
