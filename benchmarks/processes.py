"""Runs a command and tells what it and all its children cost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

MOST_SECONDS = 1_200.0  # that go by; on a busy machine they are many more than those of CPU time
_MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes; what `ru_maxrss` counts in


class Usage(NamedTuple):
    """CPU seconds (user and system) of a process and the children that it waited for, seconds that went by, and the
    most memory in MiB that one of them held.
    """

    cpu: float
    wall: float
    memory: float


class CommandError(Exception):
    """A command could not be run, failed, or took too long; `str()` of it is one line."""


def run(
    command: Sequence[str],
    *,
    fine: Sequence[int] = (0,),
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Usage:
    """Run a command without any output.

    Args:
        command: The program and its arguments.
        fine: The exit codes of a run that has done what it should.
        environment: Variables on top of ours.
        folder: Where it runs; an empty folder where none is given.

    Raises:
        CommandError: it cannot be started, has another exit code, or took longer than `MOST_SECONDS`.
    """
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        try:
            process = subprocess.Popen(
                command, cwd=folder or empty, env={**os.environ, **(environment or {})}, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            )  # fmt: skip
        except OSError as error:
            raise CommandError(f"{Path(command[0]).name} cannot be started: {error.strerror}") from None
        timer = threading.Timer(MOST_SECONDS, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        try:
            # Not `process.wait()`: only this gives the usage of one child, with those that it had itself.
            _, status, used = os.wait4(process.pid, 0)
        finally:
            timer.cancel()
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in fine:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines() or ["it says nothing"]
            late = f" (after {wall:.0f} s)" if process.returncode == -signal.SIGKILL else ""
            raise CommandError(f"{Path(command[0]).name} ended with {process.returncode}{late}: {said[-1]}")
    return Usage(used.ru_utime + used.ru_stime, wall, used.ru_maxrss * _MEMORY_UNIT / 2**20)
