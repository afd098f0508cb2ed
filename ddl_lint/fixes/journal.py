"""What was begun with files, written down before it is done: a run that is killed is finished or undone by the next.

Journals lie in a folder that only this user can write to, never in what is checked: whoever could write one could have
us write files. So a run settles only those that concern nothing but what it checks itself. Each run has a journal of
its own, whose name says how far things are, and who writes holds a lock.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ddl_lint.checked_folders import is_checked
from ddl_lint.fixes.left_over import BEGUN, READY, STATES, UNDOING, journals, places, unsettled
from ddl_lint.fixes.replacement import KeepError, flush_folder, is_temporary, put_beside
from ddl_lint.storage import is_ours

_NEW = "new"
_WAIT = 60.0  # seconds for another run that writes
_HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


class JournalError(Exception):
    """Nothing can be written down, so that nothing may be done; `str()` of it says why."""


class Step(NamedTuple):
    """One file that is to be replaced."""

    target: str
    """An absolute path without links."""

    temporary: str
    """Where the new content is until it takes its place."""

    before: bytes
    after: str
    """The `digest` of the new content."""


class Outcome(NamedTuple):
    """What became of a run."""

    files: tuple[str, ...]
    """Those that it meant to change."""

    is_done: bool
    """Whether they hold what it wanted, or what they held before."""

    reason: str = ""
    """Why they hold what they held before."""

    left: tuple[str, ...] = ()
    """Those of which neither is so, each with the reason."""


def digest(content: bytes) -> str:
    """Tells one content from another."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class Journal:
    """The journal of one run, and the lock that goes with it."""

    def __init__(self, folder: Path, lock: int) -> None:
        self._folder = folder
        self._lock = lock
        self._name = os.urandom(8).hex()

    @classmethod
    def opened(cls) -> Journal:
        """The journal of this run alone, from now on. What an earlier run has left is settled first.

        Raises:
            JournalError: there is no place for it, or another run writes for too long.
        """
        reasons: list[str] = []
        for folder in places():
            try:
                _make(folder)
                journal = cls(folder, _locked(folder, _WAIT))
            except OSError as error:
                reasons.append(f"{folder}: {error.strerror or error}")
                continue
            _settle_all(folder)
            return journal
        told = "; ".join(reasons) or "each folder for it lies in what is checked"
        raise JournalError(f"no file was changed: there is no place for a journal of the changes ({told})")

    def begin(self, steps: Sequence[Step]) -> None:
        """Write down what is to be done. Raises `OSError`."""
        _write(self._folder, self._name, steps)

    def commit(self) -> None:
        """All new contents lie beside their files: from now on the run is to be finished, not undone."""
        os.replace(_file(self._folder, self._name, BEGUN), _file(self._folder, self._name, READY))
        with suppress(OSError):
            flush_folder(str(self._folder))

    def settle(self) -> Outcome | None:
        """Finish what was committed, undo what was not. May be called again if it was broken off."""
        outcome = _settle(self._folder, self._name)
        self.close()
        return outcome

    def close(self) -> None:
        """Let others write."""
        lock, self._lock = self._lock, -1
        if lock >= 0:
            with suppress(OSError):
                os.close(lock)


def settle_interrupted() -> list[Outcome]:
    """Finish or undo what killed runs have begun with files of what is checked; nothing where another run is at it."""
    outcomes: list[Outcome] = []
    for folder in unsettled():
        with suppress(OSError):
            _require_private(folder)
            lock = _locked(folder, 0)
            try:
                outcomes += _settle_all(folder)
            finally:
                os.close(lock)
    return outcomes


# --- settling ---------------------------------------------------------------------------------------------------------


def _settle_all(folder: Path) -> list[Outcome]:
    """Settle what earlier runs have left of files that are checked now; others are not ours to touch."""
    found = (_settle(folder, name, is_own=False) for name in journals(folder))
    return [outcome for outcome in found if outcome is not None]


def _settle(folder: Path, name: str, *, is_own: bool = True) -> Outcome | None:
    """Bring what is written down to its end; None if nothing is."""
    state = next((each for each in STATES if os.path.exists(_file(folder, name, each))), None)
    if state is None:
        return None
    steps = _read(_file(folder, name, state))
    if not is_own and not all(is_checked(os.path.realpath(os.path.dirname(step.target))) for step in steps):
        return None
    files = tuple(step.target for step in steps)
    reason = ""
    if state == READY:
        reason = _finish(steps)
        if not reason:
            _end(folder, name)
            return Outcome(files, True)
        with suppress(OSError):  # else the next run finds that it cannot be finished, too
            os.replace(_file(folder, name, state), _file(folder, name, UNDOING))
        state = UNDOING
    put_back = [_put_back(step) for step in steps] if state == UNDOING else []
    for step in steps:
        with suppress(OSError):
            os.unlink(step.temporary)
    _end(folder, name)
    return Outcome(files, False, reason, tuple(filter(None, put_back)))


def _finish(steps: Sequence[Step]) -> str:
    """Let all new contents take their places; returns why that cannot be."""
    try:
        waiting: list[Step] = []
        for step in steps:
            present = _content(step.target)
            if present is not None and digest(present) == step.after:
                continue
            if present != step.before and not os.path.exists(step.temporary):
                continue  # it had its new content, and somebody went on from there
            if present != step.before:
                return f"{step.target} was changed by another program meanwhile"
            new = _content(step.temporary)
            if new is None or digest(new) != step.after:
                return f"the new content of {step.target} is gone"
            waiting.append(step)
        for step in waiting:
            os.replace(step.temporary, step.target)
    except OSError as error:
        return f"{error.filename2 or error.filename or 'a file'} cannot be written: {error.strerror or error}"
    for place in {os.path.dirname(step.target) for step in steps}:
        with suppress(OSError):
            flush_folder(place)
    for step in steps:  # of one that had taken its place already, nothing is left
        with suppress(OSError):
            os.unlink(step.temporary)
    return ""


def _put_back(step: Step) -> str:
    """Give a file back what it held; returns why it does not."""
    try:
        present = _content(step.target)
        if present == step.before:
            return ""
        if present is None or digest(present) != step.after:
            return f"{step.target} was changed by another program meanwhile"
        with suppress(OSError):
            os.unlink(step.temporary)
        put_beside(step.target, step.temporary, step.before)
        os.replace(step.temporary, step.target)
    except (KeepError, OSError) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return f"{step.target} cannot be written: {told}"
    return ""


def _content(path: str) -> bytes | None:
    """What a regular file holds that a path without links leads to."""
    if os.path.realpath(path) != path or not os.path.isfile(path):
        return None
    with open(path, "rb") as stream:
        return stream.read()


# --- the file ---------------------------------------------------------------------------------------------------------


def _file(folder: Path, name: str, state: str) -> Path:
    return folder / f"{name}.{state}"


def _write(folder: Path, name: str, steps: Sequence[Step]) -> None:
    entries = [{**step._asdict(), "before": base64.b64encode(step.before).decode("ascii")} for step in steps]
    with open(_file(folder, name, _NEW), "wb") as stream:
        stream.write(json.dumps(entries).encode("ascii"))
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(_file(folder, name, _NEW), _file(folder, name, BEGUN))
    with suppress(OSError):
        flush_folder(str(folder))


def _read(path: Path) -> list[Step]:
    """The steps of a journal; none if it is damaged."""
    try:
        entries: list[dict[str, str]] = json.loads(path.read_bytes())
        steps = [Step(**{**entry, "before": base64.b64decode(entry["before"])}) for entry in entries]  # pyright: ignore[reportArgumentType]
        return steps if all(map(_is_whole, steps)) else []
    except (ValueError, TypeError, KeyError):
        return []


def _is_whole(step: Step) -> bool:
    """Whether nothing but a file and its own new content beside it is named."""
    beside = os.path.dirname(step.temporary) == os.path.dirname(step.target)
    return is_temporary(step.temporary) and beside


def _end(folder: Path, name: str) -> None:
    """All is settled. Where the journal stays, the next run will find the same once more."""
    for state in STATES:
        with suppress(OSError):
            os.unlink(_file(folder, name, state))


def _make(folder: Path) -> None:
    """Make a folder that no other user can write to. Raises `OSError`, also where there is one that others can."""
    for each in (folder.parent, folder):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)
    _require_private(folder)


def _require_private(folder: Path) -> None:
    """Raises `OSError` where another user can write to a folder, or has put a link in its place: in `/tmp` anybody can
    make a folder with our name.
    """
    if not all(is_ours(os.lstat(each)) for each in (folder.parent, folder)):
        raise PermissionError(errno.EPERM, "others can write to this folder")


def _locked(folder: Path, seconds: float) -> int:
    """The open file that holds the lock of a folder. Raises `OSError` if another run has held it for so long."""
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    end = time.monotonic() + seconds
    try:
        while not _lock(descriptor):
            if time.monotonic() >= end:
                raise BlockingIOError(errno.EAGAIN, "another run is changing files")
            time.sleep(0.02)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _lock(descriptor: int) -> bool:
    """Whether the lock could be had. One that the system cannot give is as good as had."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in _HELD
    return True
