"""A policy in the settings of an editor's files, without a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.project.config import ConfigError
from ddl_lint.registry.rules import load_rules
from ddl_lint_server.messages import Options, Workspace
from ddl_lint_server.project_files import ProjectFiles

RULES = load_rules()


@pytest.fixture
def train(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "ddl-lint.toml").write_text('ignore = ["ALL"]\n')
    monkeypatch.setenv("DDL_LINT_POLICY", str(tmp_path / "policy.toml"))
    return tmp_path / "train.py"


def test_what_it_enforces_is_on_in_all_folders(train: Path):
    (train.parent / "policy.toml").write_text('enforce = ["hang"]\nrequire-reason = true\n')
    files = ProjectFiles(RULES, {})
    assert files.settings_for(train).enforce == ("hang",) and files.settings_for(train).require_reason
    folder = train.parent.as_posix()
    files.forget(Workspace(folders=(folder,), options={folder: Options(ignore=("DDL502",))}))
    assert files.settings_for(train).enforce == ("hang",)


def test_it_is_read_again_with_the_settings(train: Path):
    (train.parent / "policy.toml").write_text("")
    files = ProjectFiles(RULES, {})
    assert files.settings_for(train).enforce == ()
    (train.parent / "policy.toml").write_text('enforce = ["hang"]\n')
    files.forget(Workspace())
    assert files.settings_for(train).enforce == ("hang",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('enforce = ["hnag"]\n', "unknown rule `hnag`"),
        ('ignore = ["hang"]\n', "a policy says nothing but"),
        (None, "policy.toml"),
    ],
)
def test_one_that_cannot_be_used_is_told_at_each_file_in_place_of_findings(train: Path, text: str | None, said: str):
    if text is not None:
        (train.parent / "policy.toml").write_text(text)
    files = ProjectFiles(RULES, {})
    with pytest.raises(ConfigError, match=said):
        files.settings_for(train)
