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

from ddl_lint.checked_folders import checked_around

VARIABLE = "DDL_LINT_CACHE_DIR"
KEY_VARIABLE = "DDL_LINT_CACHE_KEY"
"""Names the secret that entries are signed with: for a cache that others can write to on its way between machines."""

KINDS = frozenset({"facts", "fingerprints", "models", "programs", "reports", "rules", "scans", "units"})
"""All kinds of entries: folders with other names are not ours."""

LIMIT = 512 << 20
"""Bytes that the entries may take up together."""

_FILLED = 0.8  # how much of the limit is left after entries were deleted
_PAUSE = 24 * 3600  # seconds between two times that a folder is tidied
_MUCH = 1 / 16  # of the limit: who has written this much tidies at once
_RECENT = 3600  # seconds for which an entry counts as just used: noting each use would be a write for each read
_CHECKSUM = 16
_ENTRY = re.compile(r"[0-9a-f]{32}(?:\.[0-9a-f]{16}\.tmp)?")
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
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

    Entries are written in one step, so that processes may share the folder. A damaged entry is none, and neither is
    one that was signed with another key. Each kind has a folder of its own that no other user can look into; a link,
    and one that another user made or can write to, is not used.
    """

    def __init__(self, folder: Path | None, *, limit: int = LIMIT) -> None:
        """`folder` may not exist yet; with None, nothing is kept. `limit` as `LIMIT`."""
        self.folder = folder
        self._limit = limit
        self._written = 0
        self._usable: dict[str, bool] = {}
        self._secret = _secret()

    def read(self, kind: str, key: str) -> bytes | None:
        """The content of an entry, None if there is none."""
        if self.folder is None or not self._is_usable(kind):
            return None
        path = os.path.join(self.folder, kind, key)
        try:
            with os.fdopen(os.open(path, _FLAGS), "rb") as stream:
                status = os.fstat(stream.fileno())
                content = stream.read() if stat.S_ISREG(status.st_mode) else b""
        except OSError:
            return None
        checksum, payload = content[:_CHECKSUM], memoryview(content)[_CHECKSUM:]
        if self._checksum(kind, key, payload) != checksum:
            return None
        if time.time() - status.st_mtime > _RECENT:
            with contextlib.suppress(OSError):
                os.utime(path)
        return payload.tobytes()

    def is_writable(self, kind: str) -> bool:
        """Whether entries of a kind can be kept; makes their folder."""
        return self.folder is not None and (self._is_usable(kind) or self._make(self.folder, kind))

    def holds(self, kind: str, key: str) -> bool:
        """Whether there is an entry; it may be damaged."""
        return (
            self.folder is not None and self._is_usable(kind) and os.path.exists(os.path.join(self.folder, kind, key))
        )

    def write(self, kind: str, key: str, payload: bytes) -> None:
        """Put an entry in, in place of one with this key."""
        if self.folder is None or not self.is_writable(kind):
            return
        path = os.path.join(self.folder, kind, key)
        temporary = f"{path}.{os.urandom(8).hex()}.tmp"
        with contextlib.suppress(OSError):
            try:
                with open(temporary, "xb") as stream:
                    stream.write(self._checksum(kind, key, payload) + payload)
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

    def is_tagged(self) -> bool:
        """Whether the folder says of itself that it is a cache of ours."""
        if self.folder is None:
            return False
        try:
            with os.fdopen(os.open(self.folder / _TAG, _FLAGS), "rb") as stream:
                return stat.S_ISREG(os.fstat(stream.fileno()).st_mode) and stream.read(1000) == _TAG_TEXT.encode()
        except OSError:
            return False

    def clear(self) -> Cleared:
        """Delete all entries, and the folder if nothing else is in it. Nothing where it `is_tagged` not."""
        if not self.is_tagged():
            return Cleared(0, 0)
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
            if kind.name in KINDS and kind.is_dir(follow_symlinks=False):
                for entry in _listed(kind.path):
                    if _ENTRY.fullmatch(entry.name):
                        with contextlib.suppress(OSError):
                            yield entry.path, entry.stat(follow_symlinks=False)

    def _checksum(self, kind: str, key: str, payload: bytes | memoryview) -> bytes:
        """Of an entry under its name: one that somebody has put in place of another is damaged."""
        whole = hashlib.blake2b(f"{kind}/{key}/".encode(), key=self._secret, digest_size=_CHECKSUM)
        whole.update(payload)
        return whole.digest()

    def _is_usable(self, kind: str) -> bool:
        """Whether there is a folder for a kind, and it is ours alone."""
        if kind not in self._usable:
            assert self.folder is not None
            try:
                self._usable[kind] = is_ours(os.lstat(self.folder / kind))
            except FileNotFoundError:
                return False  # it may be made later
            except OSError:
                self._usable[kind] = False
        return self._usable[kind]

    def _make(self, folder: Path, kind: str) -> bool:
        if kind not in self._usable:
            assert kind in KINDS
            make_cache_folder(folder)
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


def make_cache_folder(folder: Path) -> None:
    """Make a folder, if it can be made, and say in it that it is a cache: not in one that holds something else."""
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _listed(folder):
            with open(folder / _TAG, "x", encoding="utf-8", newline="\n") as stream:
                stream.write(_TAG_TEXT)


def _secret() -> bytes:
    given = os.environ.get(KEY_VARIABLE, "")
    return hashlib.blake2b(os.fsencode(given)).digest() if given else b""


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
    """Where this user's caches lie: `DDL_LINT_CACHE_DIR`, or the platform's place. It may not exist. None where there
    is no home, or where it lies in what is checked.
    """
    place = _chosen(None)
    return None if place is None or checked_around(place) is not None else Path(os.path.abspath(place))


def user_storage(folder: Path | None = None) -> Storage:
    """The storage in this folder, or else in the user's cache folder; one that keeps nothing if that is checked."""
    place = _chosen(folder)
    return Storage(None if place is None or checked_around(place) is not None else Path(os.path.abspath(place)))


def own_storage(folder: Path | None = None) -> Storage:
    """The same wherever it lies: for somebody who wants to get rid of it."""
    place = _chosen(folder)
    return Storage(None if place is None else Path(os.path.abspath(place)))


def distrusted(folder: Path | None = None) -> tuple[Path, str] | None:
    """The folder that `user_storage` does not use, and the checked folder that it lies in; None where it does."""
    place = _chosen(folder)
    around = checked_around(place) if place is not None else None
    return None if place is None or around is None else (Path(os.path.abspath(place)), around)


def _chosen(folder: Path | None) -> Path | None:
    """The cache folder as it is spelled."""
    if folder is not None:
        return folder
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen)
    try:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
            return Path(base) / "ddl-lint" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "ddl-lint"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ddl-lint"
    except RuntimeError:
        return None
