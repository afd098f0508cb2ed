"""Which programs may start jobs, by their bytes: the others are not read for it."""

from __future__ import annotations

import re
from functools import cache

from ddl_lint.jobs.guides import launcher_calls


@cache
def _start() -> re.Pattern[bytes]:
    words = (rb"[\s\"',]+".join(re.escape(word.encode()) for word in each) for each in launcher_calls())
    return re.compile(rb"(?:[\"'\s/]|\b)(?:" + b"|".join(words) + rb")[\s\"']|torch\.distributed\.(?:run|launch)\b")


_STARTING = re.compile(rb"\bsubprocess\b|\bos\.(?:system|popen)\b|get_ipython|(?i:cmd|command|entry_?point)")


def may_run_launchers(data: bytes) -> bool:
    """Whether a program may have a command of a launcher in it, by its bytes."""
    return _STARTING.search(data) is not None and _start().search(data) is not None
