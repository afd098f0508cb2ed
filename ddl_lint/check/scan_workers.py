"""Processes that check repositories, several at a time; one that dies costs its repository a second try."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Queue

from ddl_lint.check.scanning import Scan
from ddl_lint.processes import Helper

_TRIES = 2


def scan_here(scan: Scan, folders: Sequence[Path], jobs: int) -> Iterator[tuple[Path, bytes | None]]:
    """What `Scan.check` finds in each repository, in the order in which they are done; None for one whose process has
    died each time.
    """
    waiting = deque(folders)
    tries: Counter[Path] = Counter()
    done: Queue[tuple[Path, bytes | None]] = Queue()
    threads = [
        threading.Thread(target=_feed, args=(scan, waiting, tries, done), daemon=True)
        for _ in range(min(jobs, len(folders)))
    ]
    for thread in threads:
        thread.start()
    for _ in folders:
        yield done.get()
    for thread in threads:
        thread.join()


def _feed(scan: Scan, waiting: deque[Path], tries: Counter[Path], done: Queue[tuple[Path, bytes | None]]) -> None:
    """Give repositories to one process after another, as long as there are any."""
    helper: Helper | None = None
    while waiting:
        try:
            folder = waiting.popleft()
        except IndexError:  # another thread was faster
            break
        tries[folder] += 1
        try:
            helper = helper or _started(scan)
            helper.pipe.send(folder)
            done.put((folder, helper.pipe.recv()))
        except Exception:  # it has died, or its answer cannot be read; who waits for one has to get some
            if helper is not None:
                helper.end()
            helper = None
            if tries[folder] < _TRIES:
                waiting.append(folder)
            else:
                done.put((folder, None))
    if helper is not None:
        helper.end()


def _started(scan: Scan) -> Helper:
    helper = Helper(_serve)
    helper.pipe.send(scan)
    return helper


def _serve(pipe: Connection) -> None:
    """Check the repositories that come through a pipe, until it is closed."""
    from ddl_lint.registry.rules import load_rules
    from ddl_lint.storage import Storage

    with contextlib.suppress(EOFError, OSError):
        scan: Scan = pipe.recv()
        rules = load_rules(Storage(scan.cache))
        while True:
            pipe.send(scan.check(pipe.recv(), rules))
