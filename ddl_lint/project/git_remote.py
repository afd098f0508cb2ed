"""Where a repository is on the web, as far as its own files say: no program is run for that."""

from __future__ import annotations

import re
from configparser import ConfigParser, Error
from dataclasses import dataclass
from pathlib import Path

_REMOTE = "origin"
_LONGEST = 1_000_000  # bytes of a file that git writes for itself
_REVISION = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SCP = re.compile(r"(?:[\w.-]+@)?(?P<host>[\w.-]+):(?!//)/?(?P<path>[^\s]+)")
_URL = re.compile(r"(?:https?|ssh|git)://(?:[^@/\s]+@)?(?P<host>[\w.-]+)(?::(?P<port>\d+))?/(?P<path>[^\s?#]+)")


@dataclass(frozen=True, slots=True)
class RepositoryPage:
    """A repository in the web: `base` is followed by the path of a file below the folder `root`."""

    root: Path
    base: str


def repository_page(path: Path) -> RepositoryPage | None:
    """The page of the repository around a file, at the commit that is checked out; None where nothing tells it."""
    root = next((folder for folder in path.parents if (folder / ".git").exists()), None)
    if root is None:
        return None
    own = _git_folder(root)
    common = _common_folder(own)
    address, revision = _address(common), _revision(own, common)
    if not address or not revision:
        return None
    return RepositoryPage(root, f"{address}/blob/{revision}/")


def _git_folder(root: Path) -> Path:
    """The folder `.git`; of a worktree or a submodule, the one that the file `.git` names."""
    marked = root / ".git"
    if marked.is_dir():
        return marked
    named = _text(marked).partition("gitdir:")[2].strip()
    return root / named if named else marked


def _common_folder(own: Path) -> Path:
    """Where the worktrees of a repository have their configuration and branches in common."""
    named = _text(own / "commondir").strip()
    return own / named if named else own


def _address(folder: Path) -> str:
    """The web address of the remote, without names and passwords."""
    parser = ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        parser.read_string(_text(folder / "config"))
    except Error:
        return ""
    url = parser.get(f'remote "{_REMOTE}"', "url", fallback="") or ""
    found = _URL.fullmatch(url) or _SCP.fullmatch(url)
    if found is None:
        return ""
    port = found.groupdict().get("port") if url.startswith("http") else None
    host = found["host"] + (f":{port}" if port else "")
    return f"https://{host}/{found['path'].rstrip('/').removesuffix('.git')}"


def _revision(own: Path, common: Path) -> str:
    """The commit that is checked out."""
    head = _text(own / "HEAD").strip()
    name = head.removeprefix("ref:").strip()
    if name == head or ".." in name:
        return head if _REVISION.fullmatch(head) else ""
    loose = _text(common / name).strip()
    if _REVISION.fullmatch(loose):
        return loose
    packed = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", _text(common / "packed-refs"), re.MULTILINE)
    return packed[1] if packed and _REVISION.fullmatch(packed[1]) else ""


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""
