"""Lowers many files in processes of their own: on all cores, and none can hold up or bring down the check.

libcst takes minutes for some texts, and a fault in its native code would end the process that runs it.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddl_lint.allowance import Allowance
from ddl_lint.analysis.interpreter.project.codebase import Source
from ddl_lint.program import code
from ddl_lint.program.lowered import LoweredFile
from ddl_lint.program.stored import decoded, encoded
from ddl_lint.source import Span
from ddl_lint.source.fault import SyntaxFault

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from ddl_lint.processes import Helper

PATIENCE = 60.0
"""Seconds that one file may take; those with thousands of lines take less than one."""

_WORTH_A_PROCESS = 400_000
"""Bytes of code that take some times as long to lower as a process takes to start."""


@dataclass(frozen=True)
class Task:
    """A file to be lowered."""

    source: Source
    data: bytes


def worthwhile(tasks: Sequence[Task], jobs: int) -> int:
    """How many processes these files are worth, up to `jobs`; 0 if it is quicker to lower them here."""
    if jobs < 2:
        return 0
    processes = min(jobs, len(tasks), sum(len(task.data) for task in tasks) // _WORTH_A_PROCESS)
    return processes if processes > 1 else 0


def lower_all(
    tasks: Sequence[Task], processes: int, *, patience: float = PATIENCE, allowance: Allowance | None = None
) -> Iterator[tuple[Task, LoweredFile, bool]]:
    """Lower files in a number of processes, in any order.

    Yields:
        A file, what became of it, and whether it would become the same again. A file whose process dies or takes longer
        than `patience`, in seconds, is without code and has a fault that says so. A file that raises an error is left
        out: the error will show where it can be dealt with. So are those that are left when the allowance of the check,
        to which all of this is charged, is used up.
    """
    if not processes:
        return
    allowance = allowance or Allowance()
    waiting = sorted(tasks, key=lambda task: len(task.data))  # the largest first, so that none is left alone at the end
    with _workers() as workers:
        workers += [_Worker(patience, allowance) for _ in range(processes)]
        while True:
            for worker in workers:
                if worker.task is None and waiting and not allowance.is_over():
                    worker.begin(waiting.pop())
            busy = [worker for worker in workers if worker.task is not None]
            if not busy:
                return
            _wait(
                [worker.pipe for worker in busy], max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
            )
            for worker in busy:
                task = worker.task
                assert task is not None
                answer = worker.answer()
                if isinstance(answer, str):
                    workers[workers.index(worker)] = _Worker(patience, allowance)
                    yield task, _without_code(task, answer), False
                elif answer:
                    yield task, decoded(answer, task.source.path, task.source.name, task.source.is_package), True


def _wait(pipes: Sequence[Connection], seconds: float) -> None:
    """Wait until one of the pipes can be read, no longer than so many seconds."""
    from multiprocessing.connection import wait  # here, since most checks have few files to lower

    wait(pipes, seconds)


@contextlib.contextmanager
def _workers() -> Generator[list[_Worker]]:
    """A list whose workers end with it."""
    workers: list[_Worker] = []
    try:
        yield workers
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """A process that lowers one file at a time."""

    def __init__(self, patience: float, allowance: Allowance) -> None:
        self.task: Task | None = None
        self.deadline = 0.0
        self._patience = patience
        self._allowance = allowance
        self._spent = 0.0
        self._helper: Helper | None = None

    def begin(self, task: Task) -> None:
        """Have a file lowered."""
        if self._helper is None:
            from ddl_lint.processes import Helper

            self._helper = Helper(_serve)
        self.task = task
        self.deadline = time.monotonic() + self._patience
        with contextlib.suppress(OSError):  # it has died; so it will be found
            self.pipe.send(task)

    @property
    def pipe(self) -> Connection:
        """Where the answer will come from, once there is a task."""
        assert self._helper is not None
        return self._helper.pipe

    def answer(self) -> bytes | str | None:
        """The encoded program of the file, empty after an error, None if it is not ready yet.

        A text says why there will never be one: then the process has ended.
        """
        try:
            if self.pipe.poll():
                received: tuple[bytes, float] = self.pipe.recv()
                answer, spent = received
                self._allowance.charge(spent - self._spent)
                self.task, self._spent = None, spent
                return answer
        except (EOFError, OSError):
            self.end()
            return "the parser cannot take this file: it ends without a word"
        if time.monotonic() < self.deadline:
            return None
        self.end()
        return f"it takes more than {self._patience:.0f} seconds to read this file: it is not checked"

    def end(self) -> None:
        if self._helper is not None:
            self._helper.end()


def _without_code(task: Task, reason: str) -> LoweredFile:
    source = task.source
    module = code.Module(source.path, source.name, source.is_package, [])
    return LoweredFile(module, (SyntaxFault(Span(0, 0), reason, is_legal=True),))


def _serve(pipe: Connection) -> None:
    """Lower the files that come through a pipe, until it is closed."""
    from ddl_lint.syntax import in_deep_stack

    sys.setrecursionlimit(20_000)
    gc.set_threshold(50_000, 20, 100)
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send((in_deep_stack(_answer, pipe.recv()), time.process_time()))


def _answer(task: Task) -> bytes:
    from ddl_lint.lowering import lower
    from ddl_lint.source import document_from_bytes

    try:
        document = document_from_bytes(task.source.path, task.data)
        return encoded(lower(document, task.source.name, is_package=task.source.is_package))
    except Exception:
        return b""
