"""Where an editor's server keeps results: not in what the editor shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.storage import cache_folder
from ddl_lint_server.trust import distrust


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "workspace" / "sub").mkdir(parents=True)
    return tmp_path / "workspace"


def test_a_cache_in_the_workspace_is_not_used(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(workspace / "cache"))
    distrust()
    assert cache_folder() == workspace / "cache"  # nothing tells yet
    distrust([str(workspace)])
    assert cache_folder() is None
    (workspace.parent / "other").mkdir()
    distrust([str(workspace.parent / "other")])
    assert cache_folder() == workspace / "cache"


def test_a_cache_in_a_project_is_not_used_before_the_workspace_is_known(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / ".git").mkdir()
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(workspace / "sub" / "cache"))
    distrust()
    assert cache_folder() is None


def test_a_cache_in_the_project_of_an_open_file_is_not_used(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace / "ddl-lint.toml").touch()
    link = workspace.parent / "cache"
    link.symlink_to(workspace)
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(link))
    distrust((), [str(workspace / "sub" / "train.py")])
    assert cache_folder() is None
