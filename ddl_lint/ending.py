"""How the program ends when somebody wants it to: at once, whatever it does, and nothing of it is left."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn


class Stopped(BaseException):
    """Somebody wants the check to end. Raised out of the midst of any code inside `Allowance.stoppable`."""


_last_steps: list[Callable[[], None]] = []


def before_the_end(step: Callable[[], None]) -> None:
    """Have something done before the program ends in one of these ways."""
    _last_steps.append(step)


def leave(exit_code: int) -> NoReturn:
    """End this process without waiting for its threads: one may be in native code for minutes, and cannot be asked to
    stop. (To let the interpreter clean up below such a thread would crash it.)
    """
    for step in _last_steps:
        step()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(exit_code)


def be_interruptible() -> None:
    """Let SIGINT interrupt this program also where it was started to ignore it, as what a shell script or a CI system
    starts in the background: else a program that never ends by itself would stay. For the main thread.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def be_interrupted_once() -> None:
    """Pass over Ctrl-C from now on. For the main thread of a program that is about to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def be_interrupted_at_once(exit_code: int) -> None:
    """Let SIGINT end this program, with nothing to be said. For its main thread."""

    def end(number: int, _: object) -> None:
        del number
        leave(exit_code)

    signal.signal(signal.SIGINT, end)


def be_terminated_whole() -> None:
    """Let SIGTERM end what we have started before it ends us. For the main thread of a program."""

    def end(number: int, _: object) -> None:
        for step in _last_steps:
            step()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)
