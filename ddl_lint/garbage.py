"""Collects garbage by how much memory is in use, not by how many objects were made: nearly all that is made lives."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

_SHARE = 0.25
"""A collection is worth its time once there is so much more memory in use than the last one has left."""

_LEAST, _MOST = 200_000, 600_000
"""In blocks: fewer are not worth one, more are, whatever their share."""

_MANY = 1_500_000
"""From so many blocks on, what stays is passed over: going through it would take most of the time."""

_is_left_aside = False
"""Whether collections pass over what was loaded; to ask `gc` for it takes as long as a collection of all that."""


def leave_aside_what_is_loaded() -> None:
    """Collections pass over what there is by the first check: it lives as long as this process."""
    global _is_left_aside
    if not _is_left_aside:
        gc.freeze()
        _is_left_aside = True


class Garbage:
    """What comes and goes while programs are followed."""

    def __init__(self) -> None:
        self._left = sys.getallocatedblocks()

    @contextmanager
    def left_aside(self) -> Generator[None, None, None]:
        """Meanwhile, collections pass over all that there is by now, where that is much: it stays, the programs above
        all.
        """
        global _is_left_aside
        self._left = sys.getallocatedblocks()
        is_much = self._left > _MANY
        if is_much:
            gc.freeze()
        try:
            yield
        finally:
            if is_much:
                gc.unfreeze()
                _is_left_aside = False

    def collect(self) -> None:
        """Collect, if much has come since that was last done."""
        if sys.getallocatedblocks() - self._left > min(max(self._left * _SHARE, _LEAST), _MOST):
            gc.collect()
            self._left = sys.getallocatedblocks()
