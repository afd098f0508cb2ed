"""Entries by name in a folder."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

VARIABLE = "DDL_LINT_CACHE_DIR"

LIMIT = 512 << 20
"""Bytes that the entries may take up together."""

_FILLED = 0.8  # how much of the limit is left after entries were deleted
_PAUSE = 24 * 3600  # seconds between two times that a folder is tidied
_MUCH = 1 / 16  # of the limit: who has written this much tidies at once
_RECENT = 3600  # seconds for which an entry counts as just used: noting each use would be a write for each read
_CHECKSUM = 16
_ENTRY = re.compile(r"[0-9a-f]{32}(?:\.[0-9a-f]{16}\.tmp)?")
_TIDIED = "tidied"
_TAG = "CACHEDIR.TAG"
_TAG_TEXT = "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of ddl-lint; see bford.info/cachedir\n"


class Cleared(NamedTuple):
    """How much was deleted."""

    entries: int
    size: int
    """In bytes."""


class Storage:
    """Entries of bytes in a folder, by kind and key; kinds are words, keys are of `digest`.

    Entries are written in one step, so that processes may share the folder. A damaged entry is none. Each kind has a
    folder of its own that no other user can look into; one that another user made, or can write to, is not used.
    """

    def __init__(self, folder: Path | None, *, limit: int = LIMIT) -> None:
        """`folder` may not exist yet; with None, nothing is kept. `limit` as `LIMIT`."""
        self.folder = folder
        self._limit = limit
        self._written = 0
        self._usable: dict[str, bool] = {}

    def read(self, kind: str, key: str) -> bytes | None:
        """The content of an entry, None if there is none."""
        if self.folder is None or not self._is_usable(kind):
            return None
        path = os.path.join(self.folder, kind, key)
        try:
            with open(path, "rb") as stream:
                content = stream.read()
                used = os.fstat(stream.fileno()).st_mtime
        except OSError:
            return None
        checksum, payload = content[:_CHECKSUM], memoryview(content)[_CHECKSUM:]
        if _checksum(payload) != checksum:
            return None
        if time.time() - used > _RECENT:
            with contextlib.suppress(OSError):
                os.utime(path)
        return payload.tobytes()

    def holds(self, kind: str, key: str) -> bool:
        """Whether there is an entry; it may be damaged."""
        return (
            self.folder is not None and self._is_usable(kind) and os.path.exists(os.path.join(self.folder, kind, key))
        )

    def write(self, kind: str, key: str, payload: bytes) -> None:
        """Put an entry in, in place of one with this key."""
        if self.folder is None or not (self._is_usable(kind) or self._make(self.folder, kind)):
            return
        path = os.path.join(self.folder, kind, key)
        temporary = f"{path}.{os.urandom(8).hex()}.tmp"
        with contextlib.suppress(OSError):
            try:
                with open(temporary, "xb") as stream:
                    stream.write(_checksum(payload) + payload)
                os.replace(temporary, path)
                self._written += len(payload)
            except OSError:
                os.unlink(temporary)
                raise

    def tidy(self) -> None:
        """Delete the entries that were not used for the longest time, where all take up too much.

        To be called after writing. It looks once a day, or when much was written.
        """
        if not self._written or self.folder is None:
            return
        marker = self.folder / _TIDIED
        now = time.time()
        with contextlib.suppress(OSError):
            if now - marker.stat().st_mtime < _PAUSE and self._written < self._limit * _MUCH:
                return
        self._written = 0
        with contextlib.suppress(OSError):
            marker.touch()
        entries = sorted(self._entries(), key=lambda entry: entry[1].st_mtime, reverse=True)
        total = sum(status.st_size for _, status in entries)
        if total > self._limit:
            while entries and total > self._limit * _FILLED:
                path, status = entries.pop()
                total -= status.st_size
                _delete(path)
        for path, status in entries:
            if path.endswith(".tmp") and now - status.st_mtime > _PAUSE:  # its writer was killed
                _delete(path)

    def clear(self) -> Cleared:
        """Delete all entries, and the folder if nothing else is in it."""
        count = size = 0
        kinds: set[str] = set()
        for path, status in self._entries():
            if _delete(path):
                count += 1
                size += status.st_size
                kinds.add(os.path.dirname(path))
        if self.folder is not None:
            for name in (_TIDIED, _TAG):
                _delete(str(self.folder / name))
            for folder in (*kinds, self.folder):
                with contextlib.suppress(OSError):  # something of somebody else is left in it
                    os.rmdir(folder)
        self._usable.clear()
        return Cleared(count, size)

    def _entries(self) -> Iterator[tuple[str, os.stat_result]]:
        """The files that we have written, whatever else somebody has put beside them."""
        for kind in _listed(self.folder) if self.folder is not None else ():
            if kind.is_dir(follow_symlinks=False):
                for entry in _listed(kind.path):
                    if _ENTRY.fullmatch(entry.name):
                        with contextlib.suppress(OSError):
                            yield entry.path, entry.stat(follow_symlinks=False)

    def _is_usable(self, kind: str) -> bool:
        """Whether there is a folder for a kind, and it is ours alone."""
        if kind not in self._usable:
            assert self.folder is not None
            try:
                self._usable[kind] = is_ours(os.stat(self.folder / kind))
            except FileNotFoundError:
                return False  # it may be made later
            except OSError:
                self._usable[kind] = False
        return self._usable[kind]

    def _make(self, folder: Path, kind: str) -> bool:
        if kind not in self._usable:
            with contextlib.suppress(OSError):
                if not folder.exists():
                    folder.mkdir(mode=0o700, parents=True)
                    (folder / _TAG).write_text(_TAG_TEXT, encoding="utf-8")
            with contextlib.suppress(OSError):
                (folder / kind).mkdir(mode=0o700, exist_ok=True)
            self._is_usable(kind)
        return self._usable.get(kind, False)


def is_ours(status: os.stat_result) -> bool:
    """Whether this is a folder that only this user can write to."""
    if not stat.S_ISDIR(status.st_mode):
        return False
    if sys.platform == "win32":  # the folder lies in the user's profile, and the mode tells nothing
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _checksum(payload: bytes | memoryview) -> bytes:
    return hashlib.blake2b(payload, digest_size=_CHECKSUM).digest()


def _listed(folder: str | Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _delete(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:  # it is gone already, or in use on a system that minds
        return False
    return True


def cache_folder() -> Path | None:
    """Where this user's caches lie: `DDL_LINT_CACHE_DIR`, or the platform's place. It may not exist; None: no home."""
    if chosen := os.environ.get(VARIABLE):
        return Path(os.path.abspath(chosen))
    try:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
            return Path(base) / "ddl-lint" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "ddl-lint"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ddl-lint"
    except RuntimeError:
        return None


def user_storage(folder: Path | None = None) -> Storage:
    """The storage in this folder, or else in the user's cache folder."""
    return Storage(Path(os.path.abspath(folder)) if folder is not None else cache_folder())
