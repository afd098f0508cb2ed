"""What following a program takes of the process: a deep stack of calls, and many objects."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def analysis_limits() -> Generator[None, None, None]:
    """Our passes recurse as deeply as the program nests (the thread's stack is large enough) and make many objects."""
    limit, thresholds = sys.getrecursionlimit(), gc.get_threshold()
    sys.setrecursionlimit(max(limit, 20_000))
    # Most objects live: only the young, which are in the processor's cache, are worth a frequent look.
    gc.set_threshold(10_000, 6, 100)
    if not gc.get_freeze_count():  # what is loaded by the first time lives as long as this process
        gc.freeze()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        gc.set_threshold(*thresholds)
