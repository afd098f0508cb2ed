"""Reads files that a stranger may have put there: regular files only, up to a size, and without waiting for anybody.

Everything that is read of a checked folder comes through here: a `requirements.txt` may be a link to `/dev/zero`, or a
named pipe that no process writes to.
"""

from __future__ import annotations

import codecs
import os
import stat
from io import BufferedReader
from pathlib import Path

from ddl_lint.source.decode import DEFAULT_MAX_BYTES, SourceError, check_size

SETTINGS_MAX_BYTES = 1_000_000
"""Of a file that a person writes to set something up; a longer one is data, or was made to cost time."""

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    # The file may have become another one since it was looked at: opening a pipe must not wait for a writer.
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
)


def read_bytes(path: str, max_bytes: int = DEFAULT_MAX_BYTES, *, within: Path | None = None) -> bytes:
    """The content of a regular file of at most `max_bytes`, below the folder `within` if one is given, whatever links
    there are on the way.

    Raises:
        SourceError: there is none, or it cannot be read.
    """
    if within is not None and not lies_within(path, within):
        raise SourceError(path, f"leads out of {within}: it is not read")
    try:
        _check(path, os.stat(path), max_bytes)
        descriptor = os.open(path, _FLAGS)
        with os.fdopen(descriptor, "rb") as stream:
            _check(path, os.fstat(descriptor), max_bytes)
            data = stream.read(max_bytes + 1)  # it may grow while it is read
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SourceError(path, f"cannot be read: {reason}") from error
    check_size(path, len(data), max_bytes)
    return data


def open_stream(path: str, *, may_be_pipe: bool = False) -> BufferedReader:
    """A regular file to be read in pieces, whatever its size; a pipe only where the caller knows who writes to it.

    Raises:
        OSError: there is none, or it cannot be read.
    """
    if may_be_pipe and stat.S_ISFIFO(os.stat(path).st_mode):
        return open(path, "rb")
    descriptor = os.open(path, _FLAGS)
    stream = os.fdopen(descriptor, "rb")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        stream.close()
        raise OSError("is not a regular file")
    return stream


def read_text(path: str, max_bytes: int = SETTINGS_MAX_BYTES, *, within: Path | None = None) -> str:
    """The text of a file that must be UTF-8, without a byte order mark; else as `read_bytes`."""
    data = read_bytes(path, max_bytes, within=within)
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError:
        raise SourceError(path, "is not valid UTF-8") from None


def leads_out_of(path: Path, root: Path) -> bool:
    """Whether a path is a symbolic link to something outside of a folder, or to nothing that is known.

    For what a walk has found, which goes into no linked folder: `lies_within` looks at all of a path.
    """
    return path.is_symlink() and not lies_within(path, root)


def lies_within(path: str | Path, root: Path) -> bool:
    """Whether what a path leads to lies in a folder, or is the folder."""
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))
    except (OSError, ValueError):
        return False


def _check(path: str, status: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise SourceError(path, "is not a regular file")
    check_size(path, status.st_size, max_bytes)
