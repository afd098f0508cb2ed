"""Where journals of changes lie, and whether a killed run has left one: what each command asks before anything else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ddl_lint.checked_folders import checked_around

BEGUN, READY, UNDOING = "begun", "ready", "undoing"
STATES = (BEGUN, READY, UNDOING)
"""How the names of a journal end; each says how far things are."""

_FOLDER = "changes"
_LAST_RESORT = "/tmp"


def places() -> list[Path]:
    """The folders where a journal may lie, the first one first: none in what is checked, nor where results are stored,
    for these travel between machines.
    """
    return list(dict.fromkeys(_places()))


def _places() -> Iterator[Path]:
    state = _state_folder()
    if state is not None and checked_around(state) is None:
        yield Path(os.path.realpath(state), _FOLDER)
    if sys.platform != "win32":
        chosen = os.environ.get("TMPDIR", "")
        for temporary in (chosen, _LAST_RESORT):
            if os.path.isabs(temporary) and checked_around(temporary) is None:
                yield Path(temporary, f"ddl-lint-{os.getuid()}", _FOLDER)


def _state_folder() -> Path | None:
    """Where a program keeps for this user what is to outlive it, but is no setting and no data."""
    chosen = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(chosen):
        return Path(chosen, "ddl-lint")
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if not home.is_absolute():
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ddl-lint"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "ddl-lint"
    return home / ".local" / "state" / "ddl-lint"


def journals(folder: Path) -> list[str]:
    """The names of those that lie in a folder, without what tells how far they are."""
    names: list[str] = []
    with suppress(OSError):
        names = os.listdir(folder)
    return sorted({name for name, _, state in (each.partition(".") for each in names) if state in STATES})


def unsettled() -> list[Path]:
    """The folders in which there is one."""
    return [folder for folder in places() if journals(folder)]
