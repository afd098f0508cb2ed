"""What the files of a repository held at another commit.

The repository may be hostile: its configuration can name programs for git to run, as monitors of its files, hooks,
filters, drivers and transports. So git is asked for objects only. It never looks at the work tree or the index, which
is what most of those programs are for; the others are switched off.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ddl_lint.project.git_folder import git_folder
from ddl_lint.source import SourceError, read_bytes

_PATIENCE = 120  # seconds for one answer of git
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.pager=cat",
    "core.sshCommand=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
)
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_FILE_MODES = ("100644", "100755")
_SUBMODULE_MODE = "160000"


class RevisionError(Exception):
    """The repository cannot answer; `str()` of it says why, and what to do."""


@dataclass
class Revision:
    """A commit of a repository: the one that the changes of its work tree are counted from."""

    root: Path
    """The folder of the repository, without symbolic links."""
    commit: str
    _contents: dict[str, bytes | None] = field(default_factory=dict[str, "bytes | None"])

    def content(self, path: str) -> bytes | None:
        """What a file held; None for one that was not there. One that has been moved is found by its content."""
        if path not in self._contents:
            self._contents[path] = self._read(path)
        return self._contents[path]

    def _read(self, path: str) -> bytes | None:
        name = os.path.relpath(os.path.realpath(path), self.root).replace(os.sep, "/")
        blob = self._blobs.get(name)
        if blob is None:
            blob = self._moved_from(Path(path), name)
        return _git(self.root, "cat-file", "blob", blob) if blob else None

    def _moved_from(self, path: Path, name: str) -> str | None:
        """The file that is gone, and has the same content or alone the same name."""
        try:
            same = _blob_name(read_bytes(path.as_posix()), self.commit)
        except SourceError:
            return None
        gone = {other: blob for other, blob in self._gone.items() if blob == same}
        last = name.rpartition("/")[2]
        gone = gone or {other: blob for other, blob in self._gone.items() if other.rpartition("/")[2] == last}
        return next(iter(gone.values())) if len(set(gone.values())) == 1 else None

    def nested(self, root: Path) -> Revision | None:
        """The commit that a submodule was at; None for a repository that is none."""
        commit = self._tree.get(os.path.relpath(root, self.root).replace(os.sep, "/"), ("", ""))
        return Revision(root, commit[1]) if commit[0] == _SUBMODULE_MODE and git_folder(root) else None

    @cached_property
    def _blobs(self) -> Mapping[str, str]:
        """The name of the content of each file."""
        return {name: blob for name, (mode, blob) in self._tree.items() if mode in _FILE_MODES}

    @cached_property
    def _gone(self) -> Mapping[str, str]:
        return {name: blob for name, blob in self._blobs.items() if not (self.root / name).exists()}

    @cached_property
    def _tree(self) -> Mapping[str, tuple[str, str]]:
        """Path -> the mode and the name of what was there."""
        tree: dict[str, tuple[str, str]] = {}
        for line in _git(self.root, "ls-tree", "-r", "-z", "--full-tree", self.commit).split(b"\0"):
            description, _, name = line.partition(b"\t")
            parts = os.fsdecode(description).split()
            if len(parts) == 3:
                tree[os.fsdecode(name)] = parts[0], parts[2]
        return tree


def revision(folder: Path, name: str) -> Revision:
    """The commit at which the history of the work tree around a folder and that of a revision part.

    Raises:
        RevisionError: there is no repository, it does not know the revision, or git cannot be run.
    """
    root = repository(folder)
    if root is None:
        raise RevisionError(f"{folder} is not in a git repository")
    if git_folder(root) is None:
        raise RevisionError(f"{root / '.git'} leads to a folder of git that does not name this work tree in return")
    try:
        if name.startswith(("-", "^")):  # an option, or all but the history of a commit
            raise _Refused("")
        commit = _line(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if not _COMMIT.fullmatch(commit):
            raise _Refused("")
    except _Refused as refusal:
        if refusal.message:
            raise RevisionError(f"git cannot read {root}: {refusal.message}") from None
        hint = "a shallow clone holds the last commits only, and others are to be fetched first"
        raise RevisionError(f"{root} has no revision `{name}` ({hint})") from None
    with suppress(_Refused):  # they may have nothing in common, and a shallow clone may not know
        commit = _line(root, "merge-base", commit, "HEAD") or commit
    return Revision(root, commit)


def repository(folder: Path) -> Path | None:
    """The root of the repository around a folder, without symbolic links."""
    folder = Path(os.path.realpath(folder))
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


class _Refused(RevisionError):
    """Git has answered with an error."""

    def __init__(self, message: str) -> None:
        super().__init__(f"git: {message}")
        self.message = message


def _line(root: Path, *words: str) -> str:
    return os.fsdecode(_git(root, *words)).strip()


def _git(root: Path, *words: str) -> bytes:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    environment = {**os.environ, **_ENVIRONMENT, "GIT_CEILING_DIRECTORIES": str(root.parent)}
    try:
        done = subprocess.run(
            [_program(), *settings, "-C", str(root), "--no-pager", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RevisionError(f"git gives no answer in {root} within {_PATIENCE} s") from None
    except OSError as error:
        raise RevisionError(f"git cannot be run: {error.strerror or error}") from None
    if done.returncode:
        raise _Refused(" ".join(os.fsdecode(done.stderr).split()).removeprefix("fatal: "))
    return done.stdout


def _program() -> str:
    """Git from a folder of the search path that is named in full: a relative one may be part of what is checked."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        candidate = os.path.join(folder, name)
        if os.path.isabs(folder) and os.access(candidate, os.X_OK) and os.path.isfile(candidate):
            return candidate
    raise RevisionError("git is not installed, and it is git that knows what has changed")


def _blob_name(data: bytes, like: str) -> str:
    """How git names a content, in a repository whose commits have names such as `like`."""
    head = b"blob %d\0" % len(data)
    return hashlib.new("sha1" if len(like) == 40 else "sha256", head + data, usedforsecurity=False).hexdigest()
