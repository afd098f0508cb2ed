"""Where a repository is on the web, as far as its own files say: no program is run for that."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.project.git_folder import GitFolder, git_folder

_REMOTE = "origin"
_REVISION = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SCP = re.compile(r"(?:[\w.-]+@)?(?P<host>[\w.-]+):(?!//)/?(?P<path>[^\s]+)")
_URL = re.compile(r"(?:https?|ssh|git)://(?:[^@/\s]+@)?(?P<host>[\w.-]+)(?::(?P<port>\d+))?/(?P<path>[^\s?#]+)")


@dataclass(frozen=True, slots=True)
class RepositoryPage:
    """A repository in the web: `base` is followed by the path of a file below the folder `root`."""

    root: Path
    base: str
    address: str = ""
    """Of the repository itself."""
    revision: str = ""
    """The commit that is checked out."""


def repository_page(path: Path) -> RepositoryPage | None:
    """The page of the repository around a file, at the commit that is checked out; None where nothing tells it."""
    root = next((folder for folder in path.parents if (folder / ".git").exists()), None)
    if root is None:
        return None
    folder = git_folder(root)
    if folder is None:
        return None
    address, revision = _address(folder), _revision(folder)
    if not address or not revision:
        return None
    return RepositoryPage(root, f"{address}/blob/{revision}/", address, revision)


def checked_out(path: Path) -> str:
    """The commit that is checked out around a file, whether it is in the web or not; empty where nothing tells it."""
    root = next((folder for folder in path.parents if (folder / ".git").exists()), None)
    folder = git_folder(root) if root is not None else None
    return _revision(folder) if folder is not None else ""


def _address(folder: GitFolder) -> str:
    """The web address of the remote, without names and passwords."""
    url = folder.config().get(f'remote "{_REMOTE}"', {}).get("url", "")
    found = _URL.fullmatch(url) or _SCP.fullmatch(url)
    if found is None:
        return ""
    port = found.groupdict().get("port") if url.startswith("http") else None
    host = found["host"] + (f":{port}" if port else "")
    return f"https://{host}/{found['path'].rstrip('/').removesuffix('.git')}"


def _revision(folder: GitFolder) -> str:
    """The commit that is checked out."""
    head = folder.text(folder.own / "HEAD").strip()
    name = head.removeprefix("ref:").strip()
    if name == head or ".." in name:
        return head if _REVISION.fullmatch(head) else ""
    loose = folder.text(folder.common / name).strip()
    if _REVISION.fullmatch(loose):
        return loose
    packed = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", folder.text(folder.common / "packed-refs"), re.MULTILINE)
    return packed[1] if packed and _REVISION.fullmatch(packed[1]) else ""
