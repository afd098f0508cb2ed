"""Check-outs of pinned repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path

from benchmarks.checkouts import check_out_of, fetched


def test_a_check_out_of_another_commit_is_left_out(tmp_path: Path):
    assert check_out_of(tmp_path, "a/b", "12ab") == "is not at hand"
    place = tmp_path / "a+b"
    place.mkdir()
    subprocess.run(["git", "init", "-q", str(place)], check=True)
    assert check_out_of(tmp_path, "a/b", "12ab") == "is at no commit, not at 12ab"
    (tmp_path / ".a+b.commit").write_text("12abcdef\n")
    assert check_out_of(tmp_path, "a/b", "12ab") == place


def test_a_pinned_commit_is_fetched_once(tmp_path: Path):
    origin = tmp_path / "host" / "a" / "b"
    origin.mkdir(parents=True)
    host = f"file://{tmp_path}/host/"

    def git(*words: str) -> str:
        line = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(origin), *words]
        return subprocess.run(line, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    git("config", "uploadpack.allowAnySHA1InWant", "true")  # as public hosts do
    for text in ("old", "new"):
        (origin / "train.py").write_text(text)
        git("add", ".")
        git("commit", "-q", "-m", text)
    commit = git("rev-parse", "HEAD~1")
    place = fetched(tmp_path / "kept", "a/b", commit, host)
    assert place == tmp_path / "kept" / "a+b" == check_out_of(tmp_path / "kept", "a/b", commit)
    assert (place / "train.py").read_text() == "old"
    origin.rename(tmp_path / "gone")
    assert fetched(tmp_path / "kept", "a/b", commit, host) == place
    failure = fetched(tmp_path / "kept", "a/c", commit, host)
    assert isinstance(failure, str)
    assert failure.startswith("cannot be fetched: ")
    assert not (tmp_path / "kept" / "a+c").exists()
