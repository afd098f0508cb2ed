"""Processes that tests start: they take Ctrl-C however the tests were started, and nothing waits without an end."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

PATIENCE = 300.0
"""Seconds after which something will not come any more; nothing takes so long on the slowest machine."""


def with_interrupts() -> None:
    """For `preexec_fn`: a shell lets what it starts in the background ignore SIGINT, and so would the child."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def without_interrupts() -> None:
    """For `preexec_fn`: what such a shell does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def ended_in_time(process: subprocess.Popen[Any], seconds: float = PATIENCE) -> Generator[None]:
    """Kill a process that is still there after so long: whoever reads its output comes to the end."""
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def wait_until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something holds; fails where it never does."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.01)
