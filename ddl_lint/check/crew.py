"""Scripts that are followed in other processes, all at the same time.

Another process does the same check and puts what it finds of a script on the shelf (`stored_units.py`), where this one
looks first. So nothing of what is found depends on how many there are, or on what becomes of them.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.allowance import Allowance
from ddl_lint.check.request import Request

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from ddl_lint.processes import Helper

PATIENCE = 4.0
"""Seconds for which scripts are followed here before others help, and that must be left for each of them: what a
process has to do before it follows its first script takes a second or two.
"""

_LOOK_FOR_END = 0.2
"""Seconds between two looks at whether somebody wants the check to end."""

_MOST = 7
"""Processes that help with one check: each holds the programs of the whole project."""


class Crew:
    """The processes that help with one check."""

    in_step = True

    def __init__(self, request: Request, cache: Path, jobs: int, *, patience: float = PATIENCE) -> None:
        """`cache` is the folder with stored results, `jobs` the number of processes that may work at once, this one
        included.
        """
        self._request = replace(request, task=None, narrow=(), jobs=1)
        self._cache = cache
        self._jobs = jobs
        self._patience = patience
        self._waiting: deque[str] = deque()
        self._allowance = Allowance()
        self.given: list[str] = []
        """The scripts that others were given."""

        self.helpers: list[Helper] = []

    def share(self, names: Sequence[str], allowance: Allowance) -> Iterator[str]:
        """The scripts that are to be followed now, by the names of their modules: each is given once. For those that
        come last, another process has looked, and may have put what it found on the shelf.
        """
        self._waiting = deque(names)
        self._allowance = allowance
        threads: list[threading.Thread] = []
        begun = time.monotonic()
        try:
            while not allowance.is_over():
                if not threads:
                    count = self._wanted(time.monotonic() - begun, len(names) - len(self._waiting))
                    threads = [threading.Thread(target=self._feed, daemon=True) for _ in range(count)]
                    for thread in threads:
                        thread.start()
                try:
                    name = self._waiting.popleft()
                except IndexError:
                    break
                yield name
            for thread in threads:
                while thread.is_alive() and not allowance.is_stopped:
                    thread.join(_LOOK_FOR_END)
            yield from self.given
        finally:
            self._waiting.clear()
            for helper in self.helpers:
                helper.end()

    def wants(self, name: str) -> bool:
        """What comes of all modules is said here."""
        return True

    def _wanted(self, passed: float, done: int) -> int:
        """How many processes the scripts that wait are worth, to judge by the seconds that passed with those done."""
        most = min(self._jobs - 1, len(self._waiting), _MOST)
        if not self._patience:
            return most
        if passed < self._patience:
            return 0
        return min(most, int(passed / max(done, 1) * len(self._waiting) / self._patience))

    def _feed(self) -> None:
        """Give one process script after script, until there are none, or it has died."""
        from ddl_lint.processes import Helper  # most checks need no other process

        with contextlib.suppress(EOFError, OSError):
            helper = Helper(_serve)
            self.helpers.append(helper)
            helper.pipe.send((self._request, self._cache))
            spent = 0.0
            while True:
                now: float = helper.pipe.recv()  # it is ready
                self._allowance.charge(now - spent)
                spent = now
                if self._allowance.is_over():
                    return
                try:
                    name = self._waiting.popleft()
                except IndexError:
                    return
                self.given.append(name)
                helper.pipe.send((name, self._allowance.remaining()))


class _Pipe:
    """What a process of the crew shares: the scripts that come through a pipe."""

    in_step = True

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def share(self, names: Sequence[str], allowance: Allowance) -> Iterator[str]:
        """The scripts that this process is given; at the end of them, it ends."""
        known = frozenset(names)
        while True:
            self._pipe.send(time.process_time())
            given: tuple[str, float] = self._pipe.recv()
            name, seconds = given
            allowance.grant(seconds)
            if name in known:
                yield name

    def wants(self, name: str) -> bool:
        """It is asked for scripts of all modules."""
        return True


def _serve(pipe: Connection) -> None:
    """Follow the scripts that come through a pipe, until it is closed."""
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
