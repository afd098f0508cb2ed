"""Where git keeps what belongs to a work tree, as far as the work tree may say so.

A file `.git` names a folder that lies elsewhere: of a worktree or a submodule, rightly so. But a stranger may write
such a file, too, and name any repository of this machine, whose remote and commits would be shown as those of the
checkout. So a folder elsewhere counts if it names the work tree in return, which only its owner can have written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.source import SETTINGS_MAX_BYTES, SourceError, lies_within, read_bytes
from ddl_lint.source.ini_text import read_ini


@dataclass(frozen=True, slots=True)
class GitFolder:
    """The folders of a work tree in git: its own, and the one that the worktrees of a repository have in common."""

    own: Path
    common: Path
    _within: Path
    """What may be read."""

    def text(self, file: Path) -> str:
        """The text of a file in one of them; empty where it cannot be read, or leads elsewhere."""
        return _text(file, self._within)

    def config(self) -> Mapping[str, Mapping[str, str]]:
        """The configuration of the repository, by section; an empty one where it cannot be read."""
        return read_ini(self.text(self.common / "config"))


def git_folder(root: Path) -> GitFolder | None:
    """The folders of the work tree at `root`; None where it has none, or names one that does not belong to it."""
    own = root / ".git"
    if not own.is_dir():
        named = _text(own, root).partition("gitdir:")[2].strip()
        if not named or "\0" in named:
            return None
        own = root / named
    within = root
    if not lies_within(own, root):
        if not _names_in_return(own, root):
            return None
        own = Path(os.path.realpath(own))
        within = own
    named = _text(own / "commondir", within).strip()
    common = own / named if named and "\0" not in named else own
    if within == own:  # what lies elsewhere is its owner's word
        within = common if lies_within(own, common) else own
    return GitFolder(own, common, within) if common.is_dir() else None


def _names_in_return(own: Path, root: Path) -> bool:
    """Whether a folder of git says that the work tree is its own: that of a worktree, or of a submodule."""
    named = _text(own / "gitdir", own).strip()
    if named and "\0" not in named:
        return _is_same(own / named, root / ".git")
    worktree = read_ini(_text(own / "config", own)).get("core", {}).get("worktree", "")
    return bool(worktree) and "\0" not in worktree and _is_same(own / worktree, root)


def _is_same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _text(file: Path, within: Path) -> str:
    try:
        return read_bytes(str(file), SETTINGS_MAX_BYTES, within=within).decode("utf-8", "replace")
    except SourceError:
        return ""
