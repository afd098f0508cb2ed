"""Short names for contents, and for the very program that is running."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ddl_lint.storage.folder import Storage

_SIZE = 16  # bytes: none of 2^64 contents will ever meet another by chance
_DATA = frozenset({"__pycache__", "bad", "good"})  # programs that a rule shows, and what Python makes of our files


def digest(*parts: bytes | str) -> str:
    """A name for these contents in this order; texts as UTF-8."""
    whole = hashlib.blake2b(digest_size=_SIZE)
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        if len(parts) > 1:
            whole.update(b"%d:" % len(content))
        whole.update(content)
    return whole.hexdigest()


def stamp(path: str) -> tuple[int, int, int] | None:
    """What tells whether a file has changed, without reading it; None when it is not there."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # a program may name what no file can be called
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def fingerprint(places: Iterable[Path]) -> str:
    """A name for the contents of files and of folders with all that is below them, wherever they lie.

    Not for their times: a checkout, an installation and a cache that travels between machines get the same name for the
    same program. What cannot be read counts as empty.
    """
    whole = hashlib.blake2b(digest_size=_SIZE)
    for place in places:
        for file in sorted(_files(str(place))):
            try:
                with open(file, "rb") as stream:
                    content = stream.read()
            except OSError:
                content = b""
            name = file[len(str(place)) + 1 :] or "."
            whole.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
            whole.update(content)
    return whole.hexdigest()


def kept_fingerprint(places: Sequence[Path], storage: Storage) -> str:
    """`fingerprint`, which is read from the storage as long as no file has another time of change, size or place."""
    files = [file for place in places for file in sorted(_files(str(place)))]
    key = digest("\n".join([*map(str, places), *(f"{file} {stamp(file)}" for file in files)]))
    known = storage.read("fingerprints", key)
    if known is None:
        known = fingerprint(places).encode()
        storage.write("fingerprints", key, known)
    return known.decode()


def _files(place: str) -> Iterator[str]:
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name not in _DATA:
                        yield from _files(entry.path)
                else:
                    yield entry.path
    except NotADirectoryError:
        yield place
    except OSError:
        return
