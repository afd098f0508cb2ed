"""Processes of our own. They import nothing from the working directory, and none outlives the one that started it.

`multiprocessing` would start an interpreter that looks for its first modules in the working directory, and hand on a
path with that folder in it: code that is to be checked would run. So we start the interpreter ourselves, in the folder
of the standard library, with our own path, clean. We talk with it through a pipe of `multiprocessing`, which fits all
systems.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from typing import Any
from weakref import WeakSet

from ddl_lint.ending import before_the_end
from ddl_lint.memory_limit import limit_memory
from ddl_lint.search_path import clean_variable, without_checked_code

_START = (
    "import sys; sys.path[:] = sys.argv[2:]; from ddl_lint.processes import spawn_main; spawn_main(int(sys.argv[1]))"
)

_LOOK_FOR_PARENT = 1.0
"""Seconds between two looks at whether the process that has started this one is still there."""


class Helper:
    """A process that runs a function of ours, which is given one end of a pipe; `pipe` is the other end."""

    def __init__(self, target: Callable[[Connection], None]) -> None:
        """`target` is a function at the top level of a module.

        Raises:
            OSError: no process can be started, or all of them were ended for good.
        """
        self.pipe, theirs = get_context("spawn").Pipe()
        try:
            with _lock:
                if _ended:
                    raise OSError("the program is being ended")
                self._process = _start(theirs.fileno())
                _running.add(self)
        except BaseException:
            self.pipe.close()
            raise
        finally:
            theirs.close()
        with contextlib.suppress(OSError):  # it has died; whoever asks it will see
            self.pipe.send(target)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        self._process.kill()

    def end(self) -> None:
        """End the process at once, and close the pipe."""
        self.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self.pipe.close()
        with _lock:
            _running.discard(self)


_lock = threading.RLock()
_running: WeakSet[Helper] = WeakSet()
_ended: list[bool] = []


def running() -> list[Helper]:
    """The processes that were started and not ended."""
    return [helper for helper in _running if helper.is_alive()]


def end_all() -> None:
    """End all processes, for this one ends, too: no other is started from now on."""
    with _lock:
        _ended.append(True)
        for helper in list(_running):
            helper.kill()


atexit.register(end_all)
before_the_end(end_all)


def _start(pipe: int) -> subprocess.Popen[bytes]:
    """An interpreter that is given an open pipe."""
    path = without_checked_code(sys.path)
    with _inheritable(pipe) as options, _without_interrupts():
        return subprocess.Popen[bytes](
            [sys.executable, *_flags(), "-c", _START, str(pipe), *path],
            stdin=subprocess.DEVNULL,
            cwd=safe_folder(),
            env=_environment(os.environ),
            **options,
        )


def _flags() -> list[str]:
    """What tells the interpreter to be as this one is, and to look for nothing in its working directory."""
    flags = sys.flags
    wanted = {
        "-P": sys.version_info >= (3, 11),
        "-I": flags.isolated,
        "-E": flags.ignore_environment,
        "-s": flags.no_user_site,
        "-B": sys.dont_write_bytecode,
        "-Xutf8": flags.utf8_mode,
    }
    return [flag for flag, is_wanted in wanted.items() if is_wanted]


def safe_folder() -> str:
    """A folder that holds no module but those of the standard library."""
    folder = os.path.dirname(os.__file__)
    return folder if os.path.isdir(folder) else sys.base_prefix  # the library may lie in an archive


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment, without what would put checked code on the path."""
    chosen = dict(variables)
    clean_variable(chosen)
    return chosen


@contextlib.contextmanager
def _inheritable(pipe: int) -> Generator[dict[str, Any]]:
    """The options with which a new process gets this pipe, and no other."""
    if sys.platform == "win32":
        os.set_handle_inheritable(pipe, True)
        start = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [pipe]})
        yield {"startupinfo": start, "close_fds": True}
    else:
        yield {"pass_fds": [pipe]}


@contextlib.contextmanager
def _without_interrupts() -> Generator[None]:
    """Ctrl-C at a terminal is sent to all of its processes; those that are started here leave it to us."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def spawn_main(pipe: int) -> None:
    """What a new process does: what it is asked to do through the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory()
    kind = connection.PipeConnection if sys.platform == "win32" else Connection
    ours = kind(pipe)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with contextlib.suppress(EOFError):
        target: Callable[[Any], None] = ours.recv()
        target(ours)


def _end_with(parent: int) -> None:
    """End this process soon after the one that started it, even in the midst of work."""
    while os.getppid() == parent:
        time.sleep(_LOOK_FOR_PARENT)
    os._exit(1)
