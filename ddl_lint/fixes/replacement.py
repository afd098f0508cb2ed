"""The new content of a file, put beside it: a file of its own that can take its place, with all that belongs to it."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from contextlib import suppress

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_UNSUPPORTED = (errno.ENOTSUP, errno.ENODATA, errno.EINVAL, errno.ENOSYS)
_KEPT = ("user.", "system.posix_acl")  # of the extended attributes; the system itself sets the others
_TEMPORARY = re.compile(r"\.ddl-lint-[0-9a-f]{16}\.tmp")


class KeepError(Exception):
    """Something of a file that its new content cannot have; `str()` of it says what."""


def temporary_beside(target: str) -> str:
    """A name for the new content of a file, in the same folder, that no other file has."""
    return os.path.join(os.path.dirname(target), f".ddl-lint-{os.urandom(8).hex()}.tmp")


def is_temporary(path: str) -> bool:
    """Whether this is such a name."""
    return _TEMPORARY.fullmatch(os.path.basename(path)) is not None


def put_beside(target: str, temporary: str, content: bytes) -> None:
    """Write a content into a new file that has owner, group, permissions and attributes of another one.

    When this returns, the disk holds it.

    Raises:
        KeepError: it cannot have one of these.
        OSError: it cannot be written.
    """
    like = os.stat(target)
    descriptor = os.open(temporary, _FLAGS, 0o600)
    try:
        _write(descriptor, content)
        if sys.platform != "win32":
            _be_owned_like(descriptor, like)
            _have_attributes_of(target, descriptor)
            os.fchmod(descriptor, stat.S_IMODE(like.st_mode))  # last: a change of owner takes rights away
        os.fsync(descriptor)
    except BaseException:
        os.close(descriptor)
        with suppress(OSError):
            os.unlink(temporary)
        raise
    os.close(descriptor)
    if sys.platform == "win32":
        os.chmod(temporary, stat.S_IMODE(like.st_mode))


def flush_folder(folder: str) -> None:
    """Have the disk know which files are in a folder."""
    if sys.platform == "win32":  # a folder cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:  # some file systems cannot do it
        if error.errno not in _UNSUPPORTED:
            raise
    finally:
        os.close(descriptor)


def _write(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


if sys.platform != "win32":

    def _be_owned_like(descriptor: int, like: os.stat_result) -> None:
        own = os.fstat(descriptor)
        if (own.st_uid, own.st_gid) == (like.st_uid, like.st_gid):
            return
        try:
            os.fchown(descriptor, like.st_uid, like.st_gid)
        except OSError:
            whose = "another user" if own.st_uid != like.st_uid else "a group that you are not in"
            raise KeepError(f"belongs to {whose}, and would not any more") from None


def _have_attributes_of(target: str, descriptor: int) -> None:
    """Give a file the extended attributes of another one, access lists among them."""
    if sys.platform != "linux":
        return
    try:
        names = [name for name in os.listxattr(target) if name.startswith(_KEPT)]
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return
        raise
    for name in names:
        try:
            os.setxattr(descriptor, name, os.getxattr(target, name))
        except OSError:
            raise KeepError(f"has the attribute `{name}`, and would not any more") from None
