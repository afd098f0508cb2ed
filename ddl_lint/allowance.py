"""How long one check may take, and its end on demand: what was found so far is reported then."""

from __future__ import annotations

import math
import threading
import time
from types import TracebackType

from ddl_lint.ending import Stopped

_PATIENCE = 3.0
"""Seconds in which code of ours gives way; native code may not."""


class Allowance:
    """The CPU seconds of one check, over all of its processes."""

    def __init__(self, seconds: float = math.inf) -> None:
        self.seconds = seconds
        self.is_stopped = False
        """Whether somebody has asked for the end, whatever time is left."""

        self.stoppable = _Stoppable()
        """A context in which the work may be ended anywhere; it swallows `Stopped`."""

        self._begun = time.process_time()
        self._charged = 0.0
        self._lock = threading.Lock()

    def charge(self, seconds: float) -> None:
        """Count what another process has spent."""
        with self._lock:
            self._charged += seconds

    def remaining(self) -> float:
        """The CPU seconds that are left."""
        if self.is_stopped:
            return 0.0
        if self.seconds == math.inf:
            return math.inf
        return self._begun + self.seconds - self._charged - time.process_time()

    def grant(self, seconds: float) -> None:
        """Let so many seconds remain."""
        self.seconds = time.process_time() - self._begun + self._charged + seconds

    def is_over(self) -> bool:
        """Whether nothing more is to be begun."""
        return self.remaining() <= 0

    def stop(self) -> bool:
        """End the check from another thread; returns whether there is, or will soon be, something to report."""
        self.is_stopped = True
        return self.stoppable.end()


class _Stoppable:
    """The stretch of work that may be ended, one at a time."""

    def __init__(self) -> None:
        self._is_begun = self._is_ended = False
        self._thread: int | None = None
        self._changed = threading.Condition()

    def __enter__(self) -> None:
        with self._changed:
            self._is_begun, self._thread = True, threading.get_ident()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        with self._changed:
            thread, self._thread = self._thread, None
            if kind is None and thread is not None and self._is_ended:
                _raise_in(thread, None)  # it may be on its way
            self._changed.notify_all()
        return kind is not None and issubclass(kind, Stopped)

    def end(self) -> bool:
        """End the stretch; returns whether that was possible, and anything was done in one."""
        with self._changed:
            if self._thread is not None:
                self._is_ended = True
                _raise_in(self._thread, Stopped)
            return self._is_begun and self._changed.wait_for(lambda: self._thread is None, _PATIENCE)


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Raise an exception in another thread as soon as it is in Python code; None takes back one that is on its way."""
    import ctypes  # few checks are ended

    raised = ctypes.py_object(kind) if kind is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
