"""Where journals of changes lie, and whether a killed run has left one: what each command asks before anything else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from ddl_lint.storage import cache_folder

BEGUN, READY, UNDOING = "begun", "ready", "undoing"
STATES = (BEGUN, READY, UNDOING)
"""The names of a journal; each says how far things are."""

_FOLDER = "changes"


def places() -> Iterator[Path]:
    """The folders where a journal may lie, the first one first."""
    cache = cache_folder()
    if cache is not None:
        yield Path(os.path.realpath(cache), _FOLDER)
    if sys.platform != "win32":
        yield Path(os.environ.get("TMPDIR") or "/tmp", f"ddl-lint-{os.getuid()}", _FOLDER)


def unsettled() -> list[Path]:
    """Those in which there is one."""
    return [folder for folder in places() if any((folder / state).exists() for state in STATES)]
