"""Public repositories at pinned commits: which there are, and their check-outs, each in a folder named OWNER+NAME."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from pathlib import Path


def pinned(file: Path) -> list[dict[str, str]]:
    """The lines of a list of repositories: `repository` is OWNER/NAME, `commit` all of its digits."""
    with file.open(newline="", encoding="utf-8") as stream:
        return [*csv.DictReader(stream)]


def check_out_of(folder: Path, repository: str, commit: str) -> Path | str:
    """The check-out of a repository, or why it cannot be used."""
    place = _place(folder, repository)
    if not place.is_dir():
        return "is not at hand"
    asked = _git(place, "rev-parse", "--verify", "--quiet", "HEAD")
    present = "" if asked.returncode else asked.stdout.strip()
    note = folder / f".{place.name}.commit"  # of a copy without its history
    if not present and note.is_file():
        present = note.read_text(encoding="utf-8").split()[0]
    return place if present.startswith(commit) else f"is at {present[:12] or 'no commit'}, not at {commit[:12]}"


def fetched(folder: Path, repository: str, commit: str, host: str = "https://github.com/") -> Path | str:
    """The same, fetched with git where it is not at hand yet: this commit, without its history."""
    found = check_out_of(folder, repository, commit)
    if isinstance(found, Path):
        return found
    place = _place(folder, repository)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for words in (
        ("init", "--quiet"),
        ("fetch", "--quiet", "--depth", "1", f"{host}{repository}", commit),
        ("checkout", "--quiet", "--detach", "FETCH_HEAD"),
    ):
        done = _git(place, *words)
        if done.returncode:
            shutil.rmtree(place)
            return f"cannot be fetched: {(done.stderr.strip().splitlines() or ['git says nothing'])[-1]}"
    return place


def _place(folder: Path, repository: str) -> Path:
    return folder / repository.replace("/", "+")


def _git(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # Nobody is there to be asked for a password, and what large files hold is not checked.
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
    return subprocess.run(["git", "-C", str(place), *words], capture_output=True, text=True, env=environment)
