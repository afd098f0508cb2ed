"""Tells the server, while the worker is at a request, how much of a processor that has taken."""

from __future__ import annotations

import contextlib
import threading
import time
from multiprocessing.connection import Connection

from ddl_lint_server.messages import Answer, TimeSpent

_EVERY = 1.0
"""Seconds between two words."""


class Heartbeat:
    """A thread that speaks while an answer is being made, and never between two of them."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()
        self._busy = threading.Event()
        self._begun = 0.0
        threading.Thread(target=self._beat, name="ddl-lint pulse", daemon=True).start()

    def begin(self) -> None:
        """A request has come."""
        self._begun = time.process_time()
        self._busy.set()

    def answer(self, reply: Answer) -> None:
        """The request is answered."""
        with self._lock:
            self._busy.clear()
            self._pipe.send(reply)

    def _beat(self) -> None:
        with contextlib.suppress(OSError):
            while self._busy.wait():
                time.sleep(_EVERY)
                with self._lock:
                    if self._busy.is_set():
                        self._pipe.send(TimeSpent(time.process_time() - self._begun))
