"""Puts new contents into files so that nothing is lost, whatever happens on the way."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from ddl_lint.ending import before_the_end
from ddl_lint.fixes.journal import Journal, JournalError, Step, digest
from ddl_lint.fixes.replacement import KeepError, put_beside, temporary_beside


class Change(NamedTuple):
    """The bytes that a file held when it was read, and those that it is to hold."""

    before: bytes
    after: bytes


class WriteError(Exception):
    """A file that was not written. `str()` of it names the file and says why."""


# Held while files are written. Who ends this process waits for the writer; in the writer's own thread, which will not
# go on, it brings to an end what was begun.
_writing = threading.RLock()
_begun: list[Journal] = []
_PATIENCE = 10.0  # seconds; what a slower disk has not taken by then is left to the next run


def write_all(changes: Mapping[str, Change], roots: Collection[Path] | None = None) -> None:
    """Give files new contents, all of them or none.

    Each new content is written beside its file first and takes its place in one step, so that no reader ever sees
    half of it. A journal says what was begun: if this process is killed, the next run finishes it or undoes it. Owner,
    permissions and attributes are kept. Links are followed, but not out of `roots`, if these are given.

    Raises:
        WriteError: a file has changed since it was read, is read-only, has other names, would lose its owner, or lies
            outside; or its folder cannot be written to. No file was changed then.
    """
    if not changes:
        return
    steps = {path: _step(path, change, roots) for path, change in changes.items()}
    with _writing:
        try:
            journal = Journal.opened()
        except JournalError as error:
            raise WriteError(str(error)) from error
        _begun.append(journal)
        try:
            journal.begin([*steps.values()])
            for path, step in steps.items():
                _prepare(path, step, changes[path].after)
            journal.commit()
        except OSError as error:
            raise WriteError(f"no file was changed: no journal can be written: {error.strerror or error}") from error
        finally:
            outcome = journal.settle()
            _begun.remove(journal)
        if outcome is not None and not outcome.is_done:
            raise WriteError("; ".join((f"no file was changed: {outcome.reason}", *outcome.left)))


def _step(path: str, change: Change, roots: Collection[Path] | None) -> Step:
    """What is to be done with a file, if nothing speaks against it."""
    target = os.path.realpath(path)
    if roots is not None and not any(Path(target).is_relative_to(os.path.realpath(root)) for root in roots):
        raise WriteError(f"{path}: leads to {target}, which is not in the project; name that file instead")
    try:
        with open(target, "rb") as stream:
            present = stream.read(len(change.before) + 1)
        names = os.stat(target).st_nlink
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from error
    if present != change.before:
        raise WriteError(f"{path}: was changed by another program meanwhile; run the command again")
    if not os.access(target, os.W_OK):
        raise WriteError(f"{path}: is read-only")
    if names > 1:
        raise WriteError(f"{path}: is a hard link: its other names would keep the old content; copy it first")
    return Step(target, temporary_beside(target), change.before, digest(change.after))


def _prepare(path: str, step: Step, content: bytes) -> None:
    try:
        put_beside(step.target, step.temporary, content)
    except KeepError as error:
        raise WriteError(f"{path}: {error}") from error
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from error


def _settle_before_the_end() -> None:
    if _writing.acquire(timeout=_PATIENCE):
        for journal in _begun:
            journal.settle()


before_the_end(_settle_before_the_end)
