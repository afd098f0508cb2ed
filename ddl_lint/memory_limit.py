"""A bound on the memory of this process: what needs more is given up by itself, and the machine goes on."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_SHARE = 0.75
"""Of the memory that there is. Where the system runs out of it, it kills a process and gives no reason."""

_LEAST = 2 << 30
_CONTAINER = "/sys/fs/cgroup/memory.max"


def limit_memory() -> None:
    """Let this process have so much and no more; a lower limit that it has been given stays. Not on Windows."""
    if sys.platform == "win32" or sys.platform == "emscripten":
        return
    import resource

    with suppress(OSError, ValueError):
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = max(int(_present() * _SHARE), _LEAST)
        given = [each for each in (soft, hard) if each != resource.RLIM_INFINITY]
        if all(wanted < each for each in given):
            resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _present() -> int:
    """Bytes of memory that this machine, or the container that we run in, has."""
    present = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError), open(_CONTAINER, encoding="ascii") as stream:
        present = min(present, int(stream.read()))
    return present


def memory_limit() -> str:
    """The limit, for people; empty where there is none."""
    if sys.platform == "win32" or sys.platform == "emscripten":
        return ""
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return f"{soft >> 20:,} MB" if soft != resource.RLIM_INFINITY else ""
