"""What holds whatever a project says."""

from __future__ import annotations

import pytest


@pytest.fixture
def files(tmp_path):
    (tmp_path / "train.py").write_text("lost-rank\nslow-rank\n", encoding="utf-8")
    (tmp_path / "ddl-lint.toml").write_text("ignore = ['ALL']\nfail-on = 'crash'\n", encoding="utf-8")
    (tmp_path / "policy.toml").write_text("enforce = ['lost-rank']\nfail-on = 'error'\n", encoding="utf-8")
    return tmp_path


def test_a_policy_is_not_taken_back(files, run):
    assert run("check", "train.py").code == 0
    for options in ((), ("--ignore", "ALL"), ("--select", "slow-rank"), ("--isolated",)):
        result = run("check", *options, "--policy", "policy.toml", "--output-format", "concise", "train.py")
        assert result.code == 1 and "DDL201 lost-rank" in result.out, options


def test_the_environment_names_a_policy(files, run, monkeypatch):
    monkeypatch.setenv("DDL_LINT_POLICY", "policy.toml")
    assert run("check", "train.py").code == 1


def test_what_a_project_enforces_is_left_to_who_selects_rules(files, run):
    (files / "ddl-lint.toml").write_text("enforce = ['lost-rank']\n", encoding="utf-8")
    assert "lost-rank" in run("check", "--ignore", "DDL201", "train.py").out
    assert "DDL201" not in run("check", "--select", "slow-rank", "train.py").out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ignore = ['DDL201']", "`ignore`: a policy says nothing but `enforce`, `extends`, `fail-on`"),
        ("enforce = ['lost-rnak']", "the policy says: unknown rule `lost-rnak` (did you mean `lost-rank`?)"),
    ],
)
def test_mistakes_in_a_policy(files, run, text, said):
    (files / "policy.toml").write_text(text, encoding="utf-8")
    result = run("check", "--policy", "policy.toml", "train.py")
    assert result.code == 2 and said in result.err
