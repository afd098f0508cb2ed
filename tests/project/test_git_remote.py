"""Where a repository stands in the web, read from its own files."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ddl_lint.project.git_remote import repository_page

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def repository(root: Path, url: str, head: str = COMMIT) -> Path:
    git = root / ".git"
    git.mkdir(parents=True)
    (git / "config").write_text(f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {url}\n', encoding="utf-8")
    (git / "HEAD").write_text(f"{head}\n", encoding="utf-8")
    return root / "src" / "train.py"


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://example.org/team/repo.git", "https://example.org/team/repo"),
        ("https://user:secret@example.org/team/repo", "https://example.org/team/repo"),
        ("https://example.org:8443/team/repo/", "https://example.org:8443/team/repo"),
        ("git@example.org:team/repo.git", "https://example.org/team/repo"),
        ("ssh://git@example.org:2222/group/team/repo.git", "https://example.org/group/team/repo"),
    ],
)
def test_the_address_of_the_remote(tmp_path, url, base):
    page = repository_page(repository(tmp_path, url))
    assert page is not None
    assert (page.root, page.base) == (tmp_path, f"{base}/blob/{COMMIT}/")


@pytest.mark.parametrize("url", ["/srv/git/repo.git", "file:///srv/repo", "../repo", "javascript:alert(1) x", ""])
def test_what_is_in_no_web(tmp_path, url):
    assert repository_page(repository(tmp_path, url)) is None


def test_branches_loose_and_packed(tmp_path):
    file = repository(tmp_path, "git@example.org:team/repo.git", "ref: refs/heads/main")
    assert repository_page(file) is None
    (tmp_path / ".git/packed-refs").write_text(f"# pack-refs\n{COMMIT} refs/heads/main\n", encoding="utf-8")
    page = repository_page(file)
    assert page is not None and page.base.endswith(f"/{COMMIT}/")
    (tmp_path / ".git/HEAD").write_text("ref: ../../secret\n", encoding="utf-8")
    assert repository_page(file) is None


def test_a_worktree(tmp_path):
    repository(tmp_path / "main", "git@example.org:team/repo.git", "ref: refs/heads/main")
    own = tmp_path / "main/.git/worktrees/side"
    own.mkdir(parents=True)
    (own / "HEAD").write_text(f"{COMMIT}\n", encoding="utf-8")
    (own / "commondir").write_text("../..\n", encoding="utf-8")
    side = tmp_path / "side"
    (own / "gitdir").write_text(f"{side.as_posix()}/.git\n", encoding="utf-8")
    side.mkdir()
    (side / ".git").write_text(f"gitdir: {own.as_posix()}\n", encoding="utf-8")
    page = repository_page(side / "train.py")
    assert page is not None
    assert (page.root, page.base) == (side, f"https://example.org/team/repo/blob/{COMMIT}/")


def test_a_submodule(tmp_path):
    side = tmp_path / "super/side"
    side.mkdir(parents=True)
    file = repository(tmp_path / "super/.git/modules/side", "git@example.org:team/side.git")
    own = file.parents[1] / ".git"
    with (own / "config").open("a", encoding="utf-8") as config:
        config.write("[core]\n\tworktree = ../../../../side\n")
    (side / ".git").write_text("gitdir: ../.git/modules/side/.git\n", encoding="utf-8")
    page = repository_page(side / "train.py")
    assert page is not None
    assert (page.root, page.base) == (side, f"https://example.org/team/side/blob/{COMMIT}/")


@pytest.mark.parametrize("leads", ["file", "link", "worktree of another", "common folder", "configuration", "commit"])
def test_another_repository_is_not_shown(tmp_path, leads):
    """A stranger may name any folder of the machine; only one that names the checkout in return is read."""
    repository(tmp_path / "secret", "git@private.example:top/secret.git", "ref: refs/heads/main")
    secret, root = tmp_path / "secret/.git", tmp_path / "checked"
    (secret / "refs/heads").mkdir(parents=True)
    (secret / "refs/heads/main").write_text(f"{COMMIT}\n", encoding="utf-8")
    root.mkdir()
    match leads:
        case "file":
            (root / ".git").write_text("gitdir: ../secret/.git\n", encoding="utf-8")
        case "link":
            (root / ".git").symlink_to(secret, target_is_directory=True)
        case "worktree of another":
            (secret / "gitdir").write_text(f"{tmp_path.as_posix()}/other/.git\n", encoding="utf-8")
            (root / ".git").write_text(f"gitdir: {secret.as_posix()}\n", encoding="utf-8")
        case "common folder":
            (root / ".git").mkdir()
            (root / ".git/HEAD").write_text(f"{COMMIT}\n", encoding="utf-8")
            (root / ".git/commondir").write_text("../../secret/.git\n", encoding="utf-8")
        case "configuration":
            (root / ".git").mkdir()
            (root / ".git/HEAD").write_text(f"{COMMIT}\n", encoding="utf-8")
            (root / ".git/config").symlink_to(secret / "config")
        case _:
            repository(root, "git@example.org:team/repo.git", "ref: refs/heads/main")
            (root / ".git/refs").symlink_to(secret / "refs", target_is_directory=True)
    assert repository_page(root / "train.py") is None


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes")
@pytest.mark.parametrize("name", [".git", ".git/config", ".git/HEAD", ".git/commondir", ".git/packed-refs"])
def test_pipes_are_not_waited_for(tmp_path, name):
    file = repository(tmp_path, "git@example.org:team/repo.git", "ref: refs/heads/main")
    pipe = tmp_path / name
    if pipe.is_dir():
        shutil.rmtree(pipe)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    assert repository_page(file) is None
