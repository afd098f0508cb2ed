"""A line on a terminal that says what a check is at, once it takes longer than a moment; it leaves no trace."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext, suppress
from typing import TextIO

from ddl_lint import ending, timing
from ddl_lint.commands.terminal import shows_progress
from ddl_lint.output.cells import printable
from ddl_lint.output.places import shown_path

AFTER = 1.0
"""Seconds after which it is shown."""

_EVERY = 0.2
_FILES = ("read", "triage", "parse", "lower", "follow")
"""The stages whose subjects are files."""


@contextmanager
def checking(files: int) -> Generator[None, None, None]:
    """Show that some files are checked, where a person sees it, until the end of the block; 0: an unknown number."""
    if not shows_progress(sys.stderr):
        yield
        return
    headline = f"Checking {files} file{'s' * (files != 1)}" if files else "Checking the code"
    with timing.collect() if not timing.open_stages() else nullcontext(), shown(sys.stderr, headline):
        yield


@contextmanager
def shown(stream: TextIO, headline: str | Callable[[], str], *, after: float = AFTER) -> Generator[None, None, None]:
    """Show a headline and the file that is looked at, until the end of the block; `timing.collect` must be on."""
    line = _Line(stream, headline)
    over = threading.Event()

    def keep_showing() -> None:
        pause = after
        while not over.wait(pause):
            line.write()
            pause = _EVERY

    thread = threading.Thread(target=keep_showing, daemon=True)
    thread.start()
    ending.before_the_end(line.clear)
    try:
        yield
    finally:
        over.set()
        thread.join()
        line.clear()


class Counting:
    """What is read, and how much of all."""

    def __init__(self, total: int) -> None:
        self._total = total
        self.headline = "Reading logs"

    def __call__(self, file: str, done: int) -> None:
        """So many bytes were read; those of a packed file may be more than there are of the file."""
        share = f"{min(99, 100 * done // self._total)} % " if self._total else f"{done >> 20} MiB "
        self.headline = f"Reading logs: {share}({shown_path(file)})"


@contextmanager
def counting(stream: TextIO, total: int) -> Generator[Counting | None, None, None]:
    """Show how much of some files was read, where a person sees it, until the end of the block."""
    if not shows_progress(stream):
        yield None
        return
    told = Counting(total)
    with shown(stream, lambda: told.headline):
        yield told


class _Line:
    """The last line of a terminal, which is written again and again."""

    def __init__(self, stream: TextIO, headline: str | Callable[[], str]) -> None:
        self._stream = stream
        self._headline = headline
        self._is_there = False

    def write(self) -> None:
        import shutil  # brings in what reads archives

        files = [subject for stage, subject in timing.open_stages() if stage in _FILES and subject]
        headline = self._headline if isinstance(self._headline, str) else self._headline()
        text = f"{headline}: {shown_path(files[-1])}" if files else headline
        width = shutil.get_terminal_size().columns - 1
        self._put(f"\r\x1b[K{printable(text)[:width]}")
        self._is_there = True

    def clear(self) -> None:
        if self._is_there:
            self._put("\r\x1b[K")
            self._is_there = False

    def _put(self, text: str) -> None:
        with suppress(OSError, ValueError):  # the terminal may be gone
            self._stream.write(text)
            self._stream.flush()
