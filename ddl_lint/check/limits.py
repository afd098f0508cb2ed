"""What following a program takes of the process: a deep stack of calls, and many objects."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

from ddl_lint.garbage import leave_aside_what_is_loaded


@contextmanager
def analysis_limits() -> Generator[None, None, None]:
    """Our passes recurse as deeply as the program nests (the thread's stack is large enough) and make many objects."""
    limit, thresholds = sys.getrecursionlimit(), gc.get_threshold()
    sys.setrecursionlimit(max(limit, 20_000))
    # Most objects live: only the young, which are in the processor's cache, are worth a frequent look.
    gc.set_threshold(10_000, 6, 100)
    leave_aside_what_is_loaded()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        gc.set_threshold(*thresholds)
