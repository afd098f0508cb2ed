"""Which repositories git is asked about."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ddl_lint.project.revision import RevisionError, revision

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *who, "-C", str(folder), *words], check=True, capture_output=True, env=environment)


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "main"
    folder.mkdir()
    git(folder, "init", "--initial-branch", "main")
    (folder / "a.py").write_text("x = 1\n", encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "one")
    return folder


def test_a_worktree_of_git(main, tmp_path):
    git(main, "worktree", "add", str(tmp_path / "side"), "-b", "side")
    assert revision(tmp_path / "side", "main").content(str(tmp_path / "side/a.py")) == b"x = 1\n"


def test_a_submodule_of_git(main, tmp_path):
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init")
    git(outer, "submodule", "add", main.as_posix(), "inner")
    git(outer, "commit", "-m", "two")
    inner = outer / "inner"
    assert revision(inner, "main").content(str(inner / "a.py")) == b"x = 1\n"
    assert revision(outer, "HEAD").nested(Path(os.path.realpath(inner))) is not None


@pytest.mark.parametrize("kind", ["file", "link"])
def test_another_repository_is_not_asked(main, tmp_path, kind):
    folder = tmp_path / "checked"
    folder.mkdir()
    if kind == "file":
        (folder / ".git").write_text("gitdir: ../main/.git\n", encoding="utf-8")
    else:
        (folder / ".git").symlink_to(main / ".git", target_is_directory=True)
    with pytest.raises(RevisionError, match="does not name this work tree in return"):
        revision(folder, "main")
