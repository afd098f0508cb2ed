"""Where a repository stands in the web, read from its own files."""

from __future__ import annotations

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
    side.mkdir()
    (side / ".git").write_text(f"gitdir: {own.as_posix()}\n", encoding="utf-8")
    page = repository_page(side / "train.py")
    assert page is not None
    assert (page.root, page.base) == (side, f"https://example.org/team/repo/blob/{COMMIT}/")
