"""Puts new contents into files so that nothing is lost, whatever happens on the way."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple


class Change(NamedTuple):
    """The bytes that a file held when it was read, and those that it is to hold."""

    before: bytes
    after: bytes


class WriteError(Exception):
    """A file that was not written. `str()` of it names the file and says why."""


def write_all(changes: Mapping[str, Change]) -> None:
    """Give files new contents, all of them or none.

    Each new content is written beside its file first and takes its place in one step, so that no reader ever sees
    half of it. Links are followed; permissions are kept.

    Raises:
        WriteError: a file has changed since it was read, is read-only, or its folder cannot be written to. No file
            was changed then, except where the last step itself failed for one of several.
    """
    prepared: list[tuple[str, str]] = []
    try:
        for path, change in changes.items():
            prepared.append((_beside(path, change), os.path.realpath(path)))
        for temporary, target in prepared:
            try:
                os.replace(temporary, target)
            except OSError as error:
                raise WriteError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        for temporary, _ in prepared:
            with suppress(OSError):
                os.unlink(temporary)


def _beside(path: str, change: Change) -> str:
    """The new content in a file of its own, in the same folder."""
    target = os.path.realpath(path)
    try:
        with open(target, "rb") as stream:
            present = stream.read()
        if present != change.before:
            raise WriteError(f"{path}: was changed by another program meanwhile; run the command again")
        if not os.access(target, os.W_OK):
            raise WriteError(f"{path}: is read-only")
        mode = stat.S_IMODE(os.stat(target).st_mode)
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".ddl-lint-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(change.after)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, mode)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from error
    return temporary
